"""An export holds everything that may leave and nothing else, in files that are the person's alone."""

from __future__ import annotations

import csv
import io
import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
import yaml

from quoth.core.errors import InvalidArgument, StoreFailed, UnknownProject
from quoth.core.ids import EntryId, entry_id
from quoth.core.ledger.operations import Destroy, Judge, Relate, Verdict
from services.archive import Archive
from services.remembering import ANSWERED, SAID, append, begun, correct, event_of, forget, remember


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return begun(tmp_path)


def _lines(archive: Archive, format_: str = "jsonl", **more: Any) -> list[str]:
    lines: list[str] = archive.ask(lambda kernel: list(kernel.export.run(format_, **more)))
    return lines


def _records(archive: Archive, **more: Any) -> list[dict[str, Any]]:
    """Return the records about entries, behind the header."""
    records = map(json.loads, _lines(archive, **more))
    return [record for record in records if record["record"] != "project"]


def _rows(archive: Archive, **more: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO("".join(_lines(archive, "csv", **more)), newline="")))


def _save(archive: Archive, out: Path, format_: str, **more: Any) -> Any:
    return archive.ask(lambda kernel: kernel.export.save(out, format_, **more))


def _key(given: str) -> EntryId:
    return entry_id(bytes.fromhex(given[4:]))


def _judge(archive: Archive, entry: str, verdict: Verdict) -> None:
    append(archive, Judge(verdict, _key(entry), _key(entry)))


def test_json_lines_begin_with_a_header_and_hold_every_version_with_its_sources(archive: Archive) -> None:
    first = remember(archive, "Staging runs PostgreSQL 16.", "moved staging to PostgreSQL 16", name="staging")
    second = correct(archive, first, "Staging runs PostgreSQL 17.", reason="upgraded")
    header, *versions = _records(archive)
    assert {name: header[name] for name in ("quoth", "format", "entries", "versions")} == {
        "quoth": "export",
        "format": 2,
        "entries": 1,
        "versions": 2,
    }
    assert [version["entry"] for version in versions] == [first, second]
    assert versions[1]["supersedes"] == versions[1]["root"] == first
    assert (versions[1]["saw"], versions[1]["reason"]) == ([first], "upgraded")
    (cited,) = versions[0]["citations"]
    assert (cited["event"], cited["quote"]) == (event_of(archive, SAID), "moved staging to PostgreSQL 16")
    assert cited["anchor"]["sha256"]
    assert versions[0]["statement"]["name"] == "staging"


@pytest.mark.req("INV-5")
def test_what_is_forgotten_destroyed_sealed_or_quarantined_stays(archive: Archive) -> None:
    entries = [remember(archive, f"Statement of kraken number {number}.") for number in range(4)]
    cited = remember(archive, "Staging is on PostgreSQL, says the kraken.", "moved staging")
    remember(archive, "What stays.")
    forget(archive, entries[0])
    append(archive, Destroy(entries=(_key(entries[1]),)))
    _judge(archive, entries[2], Verdict.SEAL)
    _judge(archive, entries[3], Verdict.QUARANTINE)
    forget(archive, event_of(archive, SAID))
    said = "".join([*_lines(archive), *_lines(archive, "csv", history=True)])
    assert not [entry for entry in [*entries, cited] if entry in said]
    assert "kraken" not in said
    assert "PostgreSQL" not in said
    assert said.count("What stays.") == 2


@pytest.mark.req("INV-5")
def test_a_quote_of_an_event_that_another_entry_took_along_stays(archive: Archive) -> None:
    kept = remember(archive, "Staging moved.", "staging to PostgreSQL 16", "change the connection strings")
    gone = remember(archive, "It is PostgreSQL.", "moved staging to PostgreSQL")
    forget(archive, gone, cited=True)
    (version,) = _records(archive)[1:]
    assert version["entry"] == kept
    assert [cited["event"] for cited in version["citations"]] == [event_of(archive, ANSWERED)]


def test_judgements_and_relations_are_in_it(archive: Archive) -> None:
    one, other, gone = (remember(archive, text) for text in ("Bread rises.", "Trams run late.", "Dragons sleep."))
    append(archive, Relate(_key(one), _key(one), _key(other), _key(other), "uses"))
    append(archive, Relate(_key(one), _key(one), _key(gone), _key(gone), "hides"))
    _judge(archive, other, Verdict.NEGATE)
    _judge(archive, one, Verdict.DEMOTE)
    forget(archive, gone)
    versions = {record["entry"]: record for record in _records(archive)[1:] if record["record"] == "version"}
    assert (versions[other]["negated"], versions[one]["epistemic"]) == (True, "possible")
    relations = [record for record in _records(archive) if record["record"] == "relation"]
    assert [(each["relation"], each["entry"], each["other"]) for each in relations] == [("uses", one, other)]


def test_a_store_without_memory_gives_a_header_and_no_ledger(archive: Archive) -> None:
    assert [record["entries"] for record in _records(archive)] == [0]
    assert not (archive.home / "ledger.db").exists()


# --- tables and notes ---


def test_a_table_has_a_row_for_each_current_entry(archive: Archive) -> None:
    first = remember(archive, "Staging runs\n16, “客户” too.", "moved staging", name="staging", tags=["db", "ops"])
    second = correct(archive, first, "Staging runs 17.")
    (row,) = _rows(archive)
    assert {name: row[name] for name in ("id", "name", "text", "tags", "status", "events", "quotes")} == {
        "id": second,
        "name": "staging",
        "text": "Staging runs 17.",
        "tags": "db, ops",
        "status": "active",
        "events": event_of(archive, SAID),
        "quotes": "moved staging",
    }
    assert [(each["id"], each["text"]) for each in _rows(archive, history=True)] == [
        (second, "Staging runs 17."),
        (first, "Staging runs\n16, “客户” too."),
    ]


@pytest.mark.parametrize("begin", ["=", "+", "-", "@", " =", "\uff1d", "|", "%"])
def test_a_cell_that_looks_like_a_formula_is_only_text(archive: Archive, begin: str) -> None:
    remember(archive, f'{begin}cmd(" /c calc")!A0', name="plain")
    (row,) = _rows(archive)
    assert row["text"].startswith("'")
    assert row["name"] == "plain"


def test_notes_are_one_file_for_each_current_entry(archive: Archive, tmp_path: Path) -> None:
    entry = remember(
        archive, "Staging: 16\n---\nNot 15.", "moved staging", name="staging db/主", type="fact", tags=["a"]
    )
    other = remember(archive, "Nameless.")
    saved = _save(archive, tmp_path / "notes", "markdown")
    assert (saved.files, saved.entries) == (2, 2)
    files = {path.name: path.read_text("utf-8") for path in (tmp_path / "notes").iterdir()}
    assert sorted(files) == sorted(["staging-db-主.md", f"{other[-8:]}.md"])
    head, text = files["staging-db-主.md"].removeprefix("---\n").split("\n---\n", 1)
    front = yaml.safe_load(head)
    assert (front["id"], front["type"], front["kind"], front["tags"]) == (entry, "fact", "knowledge", ["a"])
    assert front["sources"] == [{"event": event_of(archive, SAID), "quote": "moved staging"}]
    assert text.strip() == "Staging: 16\n---\nNot 15."


@pytest.mark.parametrize("name", ["CON", "a" * 190, ".. a", ".hidden", 'a:b*?"<>|', "ends.", "../up", "x.zst"])
def test_a_file_is_named_so_that_every_system_takes_it(archive: Archive, tmp_path: Path, name: str) -> None:
    remember(archive, "Something.", name=name)
    _save(archive, tmp_path / "notes", "markdown")
    (file,) = (path for path in (tmp_path / "notes").rglob("*") if path.is_file())
    assert file.parent == tmp_path / "notes"
    assert len(file.name.encode()) <= 203
    assert not set(file.name) & set('\\/:*?"<>|')
    assert not file.name.startswith(".")
    assert file.stem.split(".")[0].upper() != "CON"


def test_names_that_differ_only_in_case_give_two_files(archive: Archive, tmp_path: Path) -> None:
    entries = [remember(archive, f"Number {number}.", name=name) for number, name in enumerate(["Deploy", "DEPLOY"])]
    _save(archive, tmp_path / "notes", "markdown")
    names = {path.name.casefold() for path in (tmp_path / "notes").iterdir()}
    assert len(names) == 2
    assert any(entry[-8:] in name for entry in entries for name in names)


def test_older_versions_go_into_a_folder_of_their_own(archive: Archive, tmp_path: Path) -> None:
    first = remember(archive, "It is 16.", name="staging")
    correct(archive, first, "It is 17.")
    _save(archive, tmp_path / "notes", "markdown", history=True)
    files = {str(path.relative_to(tmp_path / "notes")) for path in (tmp_path / "notes").rglob("*.md")}
    assert files == {"staging.md", f"history/staging-{first[-8:]}.md"}


# --- where it goes ---


@pytest.mark.req("SEC-1")
@pytest.mark.parametrize("format_", ["jsonl", "csv", "markdown"])
def test_an_export_is_readable_by_its_owner_alone(archive: Archive, tmp_path: Path, format_: str) -> None:
    entry = remember(archive, "Private.")
    correct(archive, entry, "Still private.")
    before = os.umask(0)
    try:
        _save(archive, tmp_path / "out", format_, history=True)
    finally:
        os.umask(before)
    paths = [tmp_path / "out", *(tmp_path / "out").rglob("*")]
    modes = {stat.S_IMODE(path.stat().st_mode) for path in paths if path.is_file()}
    assert modes == {0o600}
    assert {stat.S_IMODE(path.stat().st_mode) for path in paths if path.is_dir()} <= {0o700}


@pytest.mark.parametrize("format_", ["jsonl", "markdown"])
@pytest.mark.parametrize("there", ["file", "folder", "link"])
def test_what_is_there_already_is_left_alone(archive: Archive, tmp_path: Path, format_: str, there: str) -> None:
    remember(archive, "Something.")
    out = tmp_path / "out"
    match there:
        case "file":
            out.write_text("mine")
        case "folder":
            out.mkdir()
        case _:
            out.symlink_to(tmp_path / "nowhere")
    with pytest.raises(InvalidArgument, match="there already"):
        _save(archive, out, format_)
    assert not (tmp_path / "nowhere").exists()
    assert there != "file" or out.read_text() == "mine"


@pytest.mark.req("INV-6")
@pytest.mark.parametrize("format_", ["jsonl", "markdown"])
def test_a_place_that_cannot_be_written_is_an_error_and_leaves_nothing(
    archive: Archive, tmp_path: Path, format_: str
) -> None:
    remember(archive, "Something.")
    (tmp_path / "file").write_text("mine")
    with pytest.raises(StoreFailed, match="out"):
        _save(archive, tmp_path / "file" / "out", format_)
    with pytest.raises(StoreFailed, match="out"):
        _save(archive, tmp_path / "missing" / "out", format_)
    assert not list(tmp_path.glob(".*"))


def test_notes_need_a_folder_to_go_to(archive: Archive) -> None:
    with pytest.raises(InvalidArgument, match="folder"):
        _lines(archive, "markdown")


def test_one_project_leaves_alone(archive: Archive, tmp_path: Path) -> None:
    archive.project.mkdir(parents=True)
    archive.log().write_bytes(b"".join(archive.records([SAID, ANSWERED, "more"])))
    archive.sync()
    mine = remember(archive, "The ovens are in the bakery.", project="bakery")
    remember(archive, "Everywhere.", scope="tenant")
    assert [record["entry"] for record in _records(archive, project="bakery")[1:]] == [mine]
    assert [row["id"] for row in _rows(archive, project="bakery")] == [mine]
    with pytest.raises(UnknownProject):
        _lines(archive, project="no such project")
