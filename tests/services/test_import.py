"""What was exported or written elsewhere comes in once, whole or not at all, and without secrets."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.world import ACTIONS, World, world
from quoth.core.errors import ImportRefused, InvalidArgument, NewerFormat
from quoth.core.ids import OperationId, entry_id
from quoth.core.ledger.entries import State
from quoth.core.ledger.operations import Body, Destroy, Draft, Judge, Move, Restore, Verdict
from quoth.core.memory import EntryRow
from services.archive import Archive
from services.remembering import PERSON, append, begun, correct, forget, remember, verify

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return begun(tmp_path)


@pytest.fixture
def other(tmp_path: Path) -> Archive:
    """Return an empty home of somebody else."""
    return Archive(tmp_path / "elsewhere", "other")


def _import(archive: Archive, path: Path, **more: Any) -> dict[str, Any]:
    answer: dict[str, Any] = archive.ask(lambda kernel: kernel.importing.run(path, by=PERSON, **more))
    return answer


def _export(archive: Archive, out: Path) -> Path:
    archive.ask(lambda kernel: kernel.export.save(out))
    return out


def _counts(answer: Mapping[str, Any]) -> dict[str, int]:
    return {name: answer[name] for name in ("added", "corrected", "duplicates", "relations") if answer[name]}


def _rows(archive: Archive) -> list[EntryRow]:
    rows: list[EntryRow] = archive.ask(lambda kernel: (kernel.memory.catch_up(), list(kernel.memory.entries.all()))[1])
    return rows


def _texts(archive: Archive) -> list[str]:
    """Return what is current, the oldest entry first."""
    return [
        row.version.statement.text for row in _rows(archive) if row.state is State.CURRENT and row.version.statement
    ]


def _key(given_: str) -> Any:
    return entry_id(bytes.fromhex(given_[4:]))


# --- our own export ---


@pytest.mark.req("INV-4")
def test_an_export_comes_in_with_its_ids_versions_and_citations_and_only_once(
    archive: Archive, other: Archive, tmp_path: Path
) -> None:
    first = remember(archive, "Staging runs 16.", "moved staging to PostgreSQL 16", name="staging", tags=["db"])
    second = correct(archive, first, "Staging runs 17.", reason="upgraded")
    remember(archive, "Never deploy on Fridays.", type="rule")
    file = _export(archive, tmp_path / "memory.jsonl")
    assert _counts(_import(other, file)) == {"added": 2, "corrected": 1}
    assert _counts(_import(other, file)) == {"duplicates": 3}
    theirs, ours = (
        [
            [version[name] for name in ("id", "text", "created", "author", "reason", "supersedes")]
            for version in each.ask(lambda kernel: kernel.history.run(second))["versions"]
        ]
        for each in (other, archive)
    )
    assert theirs == ours
    assert _said(other) == _said(archive)
    assert (verify(other)["ok"], verify(other)["elsewhere"]) == (True, 1)


def test_a_citation_whose_log_is_here_too_is_proved_here(archive: Archive, tmp_path: Path) -> None:
    remember(archive, "Staging runs 16.", "moved staging to PostgreSQL 16")
    file = _export(archive, tmp_path / "memory.jsonl")
    again = begun(tmp_path, "again")
    _import(again, file)
    found = verify(again)
    assert (found["ok"], found["citations"], found["elsewhere"]) == (True, 1, 0)


def test_what_is_known_gets_the_citations_and_judgements_it_lacks(archive: Archive, tmp_path: Path) -> None:
    entry = remember(archive, "Staging runs 16.", "moved staging")
    again = begun(tmp_path, "again")
    _import(again, _export(archive, tmp_path / "one.jsonl"))
    archive.ask(
        lambda kernel: kernel.remember.run(
            "Staging runs 16.", by=PERSON, sources=[_quoted("connection strings")], adds_citations=True
        )
    )
    append(archive, Judge(Verdict.NEGATE, _key(entry), _key(entry)))
    file = _export(archive, tmp_path / "two.jsonl")
    for _ in range(2):
        assert _counts(_import(again, file)) == {"duplicates": 1}
    (row,) = _rows(again)
    assert (row.state, len(row.cites)) == (State.NEGATED, 2)
    assert again.ask(lambda kernel: kernel.ledger.cursor()) == 3


def _quoted(quote: str) -> Any:
    from quoth.core.memory import Quoted

    return Quoted(quote=quote)


@pytest.mark.req("INV-5")
@pytest.mark.parametrize("gone", ["forgotten", "destroyed"])
def test_what_was_forgotten_here_does_not_come_back(archive: Archive, tmp_path: Path, gone: str) -> None:
    entry = remember(archive, "Staging runs 16.", "moved staging")
    file = _export(archive, tmp_path / "memory.jsonl")
    later = correct(archive, entry, "Staging runs 17.")
    newer = _export(archive, tmp_path / "newer.jsonl")
    again = begun(tmp_path, "again")
    _import(again, file)
    if gone == "forgotten":
        forget(again, entry)
    else:
        append(again, Destroy(entries=(_key(entry),)))
    answer = _import(again, newer)
    assert (_counts(answer), answer["skipped"]) == ({"duplicates": 1}, [{"what": later, "reason": "forgotten"}])
    assert _texts(again) == []


def _said(archive: Archive) -> list[tuple[object, ...]]:
    """Return everything that an export may hold, as the index shows it."""
    held = {State.FORGOTTEN, State.DESTROYED, State.SEALED, State.QUARANTINED}
    rows = _rows(archive)
    hidden = {row.root for row in rows if row.state in held - {State.DESTROYED} or _is_all_gone(rows, row)}
    return [_shown(row, hidden) for row in rows if row.root not in hidden]


def _is_all_gone(rows: Sequence[EntryRow], row: EntryRow) -> bool:
    current = next((each for each in rows if each.id == row.current), None)
    return current is None or current.version.statement is None


def _shown(row: EntryRow, hidden: set[Any]) -> tuple[object, ...]:
    version = row.version
    edges = [edge for edge in row.relations if edge.root not in hidden and edge.other_root not in hidden]
    return (
        row.id,
        row.root,
        version.supersedes,
        row.state,
        row.current,
        row.is_concurrent,
        row.scope,
        row.tier,
        version.statement,
        version.epistemic,
        version.negated,
        [(cited.event, cited.quote) for cited in row.cites],
        sorted(edges, key=str),
    )


_STEPS = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, ACTIONS + 3), st.integers(0, 30), st.integers(0, 30)),
    min_size=8,
    max_size=50,
)


@pytest.mark.req("INV-4", "INV-5")
@given(steps=_STEPS)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_an_export_imported_into_an_empty_home_gives_the_same_entries(
    tmp_path_factory: pytest.TempPathFactory, steps: Sequence[tuple[int, int, int, int]]
) -> None:
    folder = tmp_path_factory.mktemp("homes")
    archive, other = Archive(folder, "one"), Archive(folder, "other")
    written = world()
    for step in steps:
        written.step(*step)
    _write(archive, written)
    file = _export(archive, folder / "memory.jsonl")
    _import(other, file)
    assert _said(other) == _said(archive)
    before = other.ask(lambda kernel: kernel.ledger.cursor())
    answer = _import(other, file)
    assert (answer["added"], answer["corrected"]) == (0, 0)
    assert other.ask(lambda kernel: kernel.ledger.cursor()) == before
    assert verify(other)["ok"] is True


def _write(archive: Archive, written: World) -> None:
    """Append what the devices wrote, as operations of this home."""
    names: dict[OperationId, OperationId] = {}

    def append_all(kernel: Any) -> None:
        for operation in written.written:
            body = _renamed(operation.body, names)
            (made,) = kernel.memory.append([Draft(body, "codex@desk", "r")])
            names[operation.id] = made.id
        kernel.memory.catch_up()

    archive.ask(append_all)


def _renamed(body: Body, names: Mapping[OperationId, OperationId]) -> Body:
    match body:
        case Judge() | Move():
            return replace(body, saw=tuple(names[each] for each in body.saw))
        case Restore():
            return replace(body, tombstone=names[body.tombstone])
        case Destroy():
            return replace(body, operations=tuple(names[each] for each in body.operations))
        case _:
            return body


@pytest.mark.req("SEC-10")
@pytest.mark.parametrize(
    "break_",
    [
        lambda lines: [lines[0], lines[1].replace('"entry":"ent_', '"entry":"ent'), *lines[2:]],
        lambda lines: [lines[0], lines[1].replace('"confidence":0.8', '"confidence":NaN'), *lines[2:]],
        lambda lines: [lines[0], lines[1].replace('"confidence":0.8', '"confidence":7'), *lines[2:]],
        lambda lines: [lines[0], lines[1].replace("Staging", "\\ud800"), *lines[2:]],
        lambda lines: [lines[0], lines[1][:-20], *lines[2:]],
        lambda lines: [lines[0], "[" * 100_000, *lines[2:]],
        lambda lines: [lines[0], lines[1].replace('"kind":"memory"', '"kind":"spell"'), *lines[2:]],
        lambda lines: [lines[0], '{"record": "surprise"}', *lines[2:]],
        lambda lines: [lines[0], lines[1].replace('"first_line":1', '"first_line":"x"'), *lines[2:]],
    ],
)
def test_a_broken_line_refuses_the_whole_file_and_is_named(
    archive: Archive, other: Archive, tmp_path: Path, break_: Callable[[list[str]], list[str]]
) -> None:
    remember(archive, "Staging runs 16.", "moved staging")
    remember(archive, "Another.")
    file = _export(archive, tmp_path / "memory.jsonl")
    lines = [line for line in file.read_text("utf-8").splitlines() if '"record":"project"' not in line]
    assert break_(lines) != lines
    file.write_text("\n".join([lines[0], lines[2], *break_(lines)[1:2]]) + "\n", "utf-8")
    with pytest.raises(ImportRefused, match=r"memory\.jsonl, line 3 can't be imported: .*\. Nothing was imported\."):
        _import(other, file)
    assert _rows(other) == []


@pytest.mark.req("SEC-10")
def test_half_a_character_is_called_so(archive: Archive, other: Archive, tmp_path: Path) -> None:
    remember(archive, "Another.")
    file = _export(archive, tmp_path / "memory.jsonl")
    file.write_text(file.read_text("utf-8").replace("Another", "\\ud800"), "utf-8")
    with pytest.raises(ImportRefused, match="it holds half a character"):
        _import(other, file)


@pytest.mark.req("SEC-10")
def test_an_export_that_was_cut_off_is_refused(archive: Archive, other: Archive, tmp_path: Path) -> None:
    remember(archive, "One.")
    remember(archive, "Two.")
    file = _export(archive, tmp_path / "memory.jsonl")
    file.write_text("".join(file.read_text("utf-8").splitlines(keepends=True)[:-1]), "utf-8")
    with pytest.raises(ImportRefused, match="2 versions"):
        _import(other, file)


@pytest.mark.req("ARC-12", "ORI-69")
def test_an_export_of_a_newer_program_is_refused(other: Archive, tmp_path: Path) -> None:
    (tmp_path / "new.jsonl").write_text('{"quoth": "export", "format": 3}\n')
    with pytest.raises(NewerFormat, match="Upgrade Quoth"):
        _import(other, tmp_path / "new.jsonl")


@pytest.mark.req("SEC-10")
def test_an_id_that_belongs_to_another_entry_is_refused(archive: Archive, tmp_path: Path) -> None:
    one, two = remember(archive, "One."), remember(archive, "Two.")
    file = _export(archive, tmp_path / "memory.jsonl")
    said = file.read_text("utf-8").replace(f'"root":"{two}"', f'"root":"{one}","supersedes":"{one}"')
    file.write_text(said, "utf-8")
    with pytest.raises(ImportRefused, match="another entry"):
        _import(archive, file)


@pytest.mark.req("SEC-10")
def test_secrets_in_an_export_are_taken_out(archive: Archive, other: Archive, tmp_path: Path) -> None:
    remember(archive, "The password is PLACE.", name="db", tags=["PLACE"], uncited="PLACE")
    file = _export(archive, tmp_path / "memory.jsonl")
    file.write_text(file.read_text("utf-8").replace("PLACE", TOKEN), "utf-8")
    assert _import(other, file)["redacted"] >= 3
    assert not [path for path in other.home.rglob("*") if path.is_file() and TOKEN.encode() in path.read_bytes()]


@pytest.mark.req("SEC-10", "SEC-5")
@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("git:dev:pa55Xw0rd@example.org/dev/shop", "git:example.org/dev/shop"),
        (f"git:example.org/oauth2:{TOKEN}/shop", "git:example.org/oauth2:[REDACTED:github_token]/shop"),
        (f"https://dev:{TOKEN}@example.org/shop", "https://[REDACTED:github_token]@example.org/shop"),
    ],
)
def test_what_an_address_of_a_project_gives_away_is_taken_out(
    said: str, kept: str, archive: Archive, other: Archive, tmp_path: Path
) -> None:
    remember(archive, "Staging runs 16.", "moved staging")
    file = _export(archive, tmp_path / "memory.jsonl")
    [repository] = {row.version.statement.scope.repository for row in _rows(archive) if row.version.statement}
    assert repository
    lines = [line for line in file.read_text("utf-8").splitlines() if '"record":"project"' not in line]
    file.write_text("\n".join(lines).replace(f'"repository":"{repository}"', f'"repository":"{said}"') + "\n", "utf-8")
    _import(other, file)
    assert [row.version.statement.scope.repository for row in _rows(other) if row.version.statement] == [kept]
    written = b"".join(path.read_bytes() for path in other.home.rglob("*") if path.is_file())
    assert TOKEN.encode() not in written
    assert b"pa55Xw0rd" not in written


@pytest.mark.req("SEC-10", "SEC-5")
def test_a_secret_in_the_id_of_a_project_is_taken_out(archive: Archive, other: Archive, tmp_path: Path) -> None:
    remember(archive, "Another.")
    file = _export(archive, tmp_path / "memory.jsonl")
    told = {"record": "project", "project": f"git:example.org/oauth2:{TOKEN}/shop", "name": "shop", "owner": None}
    file.write_text(file.read_text("utf-8") + json.dumps(told) + "\n", "utf-8")
    _import(other, file)
    assert not [path for path in other.home.rglob("*") if path.is_file() and TOKEN.encode() in path.read_bytes()]


@pytest.mark.req("SEC-10", "MMC-10")
@pytest.mark.parametrize(("said", "kept"), [("Main", "agent:Main"), ("GLOBAL", "global"), ("agent:a b", "agent:a b")])
def test_an_imported_entry_has_an_owner_as_every_other_has(
    said: str, kept: str, archive: Archive, other: Archive, tmp_path: Path
) -> None:
    remember(archive, "Another.")
    file = _export(archive, tmp_path / "memory.jsonl")
    lines = file.read_text("utf-8")
    assert '"agent":"global"' in lines
    for wrong in ("custom:x", "agent:\\u001b[31m", ""):
        file.write_text(lines.replace('"agent":"global"', f'"agent":"{wrong}"'), "utf-8")
        with pytest.raises(ImportRefused, match="can't be imported: its agent is neither"):
            _import(other, file)
    file.write_text(lines.replace('"agent":"global"', f'"agent":"{said}"'), "utf-8")
    _import(other, file)
    assert [row.version.statement.agent for row in _rows(other) if row.version.statement] == [kept]


def test_a_preview_says_what_would_come_and_writes_nothing(archive: Archive, other: Archive, tmp_path: Path) -> None:
    entry = remember(archive, "One.", name="first")
    file = _export(archive, tmp_path / "memory.jsonl")
    answer = _import(other, file, dry_run=True)
    assert (answer["dry_run"], _counts(answer)) == (True, {"added": 1})
    assert answer["entries"] == [{"id": entry, "name": "first", "type": "note", "corrects": False}]
    assert not (other.home / "ledger.db").exists()
    assert json.loads(json.dumps(answer)) == answer


# --- notes ---


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """Return a folder with two notes, one with front matter."""
    folder = tmp_path / "notes"
    (folder / "ops").mkdir(parents=True)
    (folder / "ops/staging.md").write_text(
        "---\ntitle: Staging\ntype: fact\ntags: [db, '#ops']\nconfidence: 0.9\ndate: 2026-01-02\n---\n\nIt runs 16.\n"
    )
    (folder / "Готовка.md").write_text("Тесто стоит два часа.\r\n")
    return folder


def test_each_note_becomes_one_entry_with_what_its_front_matter_says(archive: Archive, notes: Path) -> None:
    assert _counts(_import(archive, notes)) == {"added": 2}
    plain, fact = sorted(_rows(archive), key=lambda row: row.version.statement.type != "note")  # type: ignore[union-attr]
    said, other = fact.version.statement, plain.version.statement
    assert said is not None
    assert other is not None
    assert (said.text, said.name, said.type, said.kind, said.tags) == (
        "It runs 16.",
        "Staging",
        "fact",
        "knowledge",
        ("db", "ops"),
    )
    assert (said.confidence, said.created_at, said.attribution, said.imported) == (
        0.9,
        1_767_312_000_000,
        "other",
        False,
    )
    assert said.uncited == f"imported from {notes / 'ops/staging.md'}"
    assert (other.text, other.name, other.type) == ("Тесто стоит два часа.", "Готовка", "note")


def test_importing_notes_twice_is_importing_once_and_an_edited_one_supersedes(archive: Archive, notes: Path) -> None:
    first = _import(archive, notes)["entries"]
    assert _counts(_import(archive, notes)) == {"duplicates": 2}
    (notes / "Готовка.md").write_text("Тесто стоит три часа.")
    os.utime(notes / "ops/staging.md", (1, 1))
    assert _counts(_import(archive, notes)) == {"corrected": 1, "duplicates": 1}
    assert _counts(_import(archive, notes)) == {"duplicates": 2}
    (notes / "Готовка.md").write_text("Тесто стоит два часа.")
    assert _counts(_import(archive, notes)) == {"corrected": 1, "duplicates": 1}
    assert sorted(_texts(archive)) == ["It runs 16.", "Тесто стоит два часа."]
    assert {row.root for row in _rows(archive)} == {entry["id"] for entry in first}
    assert verify(archive)["ok"] is True


def test_an_edited_note_supersedes_what_was_corrected_here(archive: Archive, notes: Path) -> None:
    _import(archive, notes)
    row = next(row for row in _rows(archive) if row.name == "Готовка")
    correct(archive, row.id, "Тесто стоит четыре часа.")
    assert _counts(_import(archive, notes)) == {"duplicates": 2}
    (notes / "Готовка.md").write_text("Тесто стоит пять часов.")
    assert _counts(_import(archive, notes)) == {"corrected": 1, "duplicates": 1}
    assert "Тесто стоит пять часов." in _texts(archive)
    assert len(_texts(archive)) == 2


@pytest.mark.req("INV-5")
def test_a_note_that_was_forgotten_does_not_come_back(archive: Archive, notes: Path) -> None:
    _import(archive, notes)
    for row in _rows(archive):
        forget(archive, row.id)
    (notes / "Готовка.md").write_text("Тесто стоит три часа.")
    answer = _import(archive, notes)
    assert (_counts(answer), {left["reason"] for left in answer["skipped"]}) == ({}, {"forgotten"})
    assert _texts(archive) == []


def test_a_note_that_says_what_is_known_is_a_duplicate(archive: Archive, notes: Path) -> None:
    remember(archive, "It runs 16.")
    (notes / "copy.md").write_text("Тесто стоит два часа.")
    assert _counts(_import(archive, notes)) == {"added": 1, "duplicates": 2}


def test_notes_of_one_name_are_told_apart(archive: Archive, notes: Path) -> None:
    for folder in ("a", "b"):
        (notes / folder).mkdir()
        (notes / folder / "README.md").write_text(f"About {folder}.")
    assert _counts(_import(archive, notes)) == {"added": 4}
    assert {"README", "b/README"} <= {row.name for row in _rows(archive)}


@pytest.mark.parametrize("type_", ["daily", "Meeting notes"])
def test_a_type_that_is_not_ours_becomes_a_tag(archive: Archive, notes: Path, type_: str) -> None:
    (notes / "Готовка.md").write_text(f"---\ntype: {type_}\ntags: a, b\n---\nSomething.")
    _import(archive, notes)
    (said,) = (
        row.version.statement for row in _rows(archive) if row.version.statement and "a" in row.version.statement.tags
    )
    assert (said.type, said.tags) == ("note", (type_, "a", "b"))


def test_our_own_notes_are_known_and_an_edited_one_corrects_its_entry(archive: Archive, tmp_path: Path) -> None:
    entry = remember(archive, "Staging runs 16.", "moved staging", name="staging", type="fact")
    archive.ask(lambda kernel: kernel.export.save(tmp_path / "notes", "markdown", history=True))
    assert _counts(_import(archive, tmp_path / "notes")) == {"duplicates": 1}
    file = tmp_path / "notes/staging.md"
    file.write_text(file.read_text().replace("runs 16", "runs 18"))
    assert _counts(_import(archive, tmp_path / "notes")) == {"corrected": 1}
    assert _counts(_import(archive, tmp_path / "notes")) != {"added": 1}
    old, new = _rows(archive)
    assert (old.id, new.version.supersedes, new.name, new.cites) == (entry, entry, "staging", old.cites)
    assert _texts(archive) == ["Staging runs 18."]


def test_our_own_note_goes_on_correcting_its_entry_until_somebody_else_did(archive: Archive, tmp_path: Path) -> None:
    remember(archive, "The gate opens at seven.")
    folder = tmp_path / "mine"
    archive.ask(lambda kernel: kernel.export.save(folder, "markdown"))
    (note,) = folder.iterdir()
    for before, after in (("seven", "eight"), ("eight", "nine"), ("nine", "seven")):
        note.write_text(note.read_text("utf-8").replace(f"at {before}", f"at {after}"), "utf-8")
        assert _counts(_import(archive, folder)) == {"corrected": 1}
        assert _counts(_import(archive, folder)) == {"duplicates": 1}
        assert _texts(archive) == [f"The gate opens at {after}."]
    (current,) = (row.id for row in _rows(archive) if row.is_current)
    correct(archive, current, "The gate opens at noon.")
    note.write_text(note.read_text("utf-8").replace("at seven", "at eight"), "utf-8")
    assert [left["reason"] for left in _import(archive, folder)["skipped"]] == ["superseded"]


def test_one_note_can_be_imported_alone(archive: Archive, notes: Path) -> None:
    assert _counts(_import(archive, notes / "Готовка.md")) == {"added": 1}
    assert _counts(_import(archive, notes)) == {"added": 1, "duplicates": 1}


@pytest.mark.req("SEC-10")
def test_links_out_of_the_folder_pipes_and_hidden_folders_are_left_and_told(
    archive: Archive, notes: Path, tmp_path: Path
) -> None:
    (tmp_path / "secret.md").write_text("Not yours.")
    (notes / "link.md").symlink_to(tmp_path / "secret.md")
    (notes / "broken.md").symlink_to(tmp_path / "nowhere.md")
    os.mkfifo(notes / "pipe.md")
    (notes / "empty.md").write_text("---\ntitle: x\n---\n \n")
    (notes / "long.md").write_text("word " * 4_000)
    (notes / ".trash").mkdir()
    (notes / ".trash/old.md").write_text("Thrown away.")
    answer = _import(archive, notes)
    assert _counts(answer) == {"added": 2}
    reasons = {Path(left["what"]).name: left["reason"] for left in answer["skipped"]}
    assert {name: reasons[name] for name in ("link.md", "broken.md", "pipe.md", "empty.md")} == {
        "link.md": "link_outside",
        "broken.md": "link_broken",
        "pipe.md": "not_a_file",
        "empty.md": "empty",
    }
    assert "8192 bytes" in reasons["long.md"]
    assert len(reasons) == 5


@pytest.mark.req("SEC-10")
@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"---\ntitle: [open\n---\nx", 2),
        (b"---\ntitle: {{title}}\n---\nx", 2),
        (b"---\na: 1\n\tb: 2\n---\nx", 3),
        (b"---\n- a\n- b\n---\nx", 2),
        (b"first\nsecond \xff\nthird", 2),
    ],
)
def test_a_note_that_cannot_be_read_refuses_the_folder(
    archive: Archive, notes: Path, content: bytes, line: int
) -> None:
    (notes / "broken.md").write_bytes(content)
    with pytest.raises(ImportRefused, match=rf"broken\.md, line {line} can't be imported"):
        _import(archive, notes)
    assert _rows(archive) == []


@pytest.mark.req("SEC-10")
def test_front_matter_builds_nothing_but_text(archive: Archive, notes: Path, tmp_path: Path) -> None:
    bomb = "\n".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9) or 'x'}]" for n in range(1, 9)).replace("*a0", "x")
    (notes / "bomb.md").write_text(f"---\n{bomb}\ntags: *a8\n---\nBoom.")
    mark = tmp_path / "mark"
    (notes / "call.md").write_text(f"---\nname: !!python/object/apply:os.mkdir ['{mark}']\n---\nCall.")
    assert _counts(_import(archive, notes)) == {"added": 4}
    assert not mark.exists()


@pytest.mark.req("SEC-10")
def test_secrets_in_notes_are_taken_out(archive: Archive, notes: Path) -> None:
    (notes / "Готовка.md").write_text(f"---\ntitle: the {TOKEN} key\n---\nUse {TOKEN} for it.")
    assert _import(archive, notes)["redacted"] >= 2
    assert not [path for path in archive.home.rglob("*") if path.is_file() and TOKEN.encode() in path.read_bytes()]


@pytest.mark.parametrize("front", ["confidence: high", "valid_from: soon", "confidence: 7"])
def test_front_matter_that_means_nothing_refuses_the_folder(archive: Archive, notes: Path, front: str) -> None:
    (notes / "Готовка.md").write_text(f"---\n{front}\n---\nSomething.")
    with pytest.raises(ImportRefused, match=front.partition(":")[0]):
        _import(archive, notes)
    assert _rows(archive) == []


# --- a knowledge graph ---

_GRAPH = [
    {"type": "entity", "name": "Mina", "entityType": "person", "observations": ["Bakes bread", "Lives in Kazan"]},
    {"type": "entity", "name": "crumb", "entityType": "project", "observations": []},
    {"type": "relation", "from": "Mina", "to": "crumb", "relationType": "works on"},
]


def _graph(folder: Path, records: Sequence[Mapping[str, object]]) -> Path:
    file = folder / "memory.json"
    file.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return file


def test_a_knowledge_graph_gives_one_entry_a_thing_and_its_relations(archive: Archive, tmp_path: Path) -> None:
    file = _graph(tmp_path, _GRAPH)
    assert _counts(_import(archive, file)) == {"added": 2, "relations": 1}
    assert _counts(_import(archive, file)) == {"duplicates": 2}
    mina, crumb = _rows(archive)
    assert mina.version.statement is not None
    assert mina.version.statement.text == "Mina (person)\n- Bakes bread\n- Lives in Kazan"
    assert (mina.name, mina.version.statement.type, mina.version.statement.tags) == ("Mina", "entity", ("person",))
    (edge,) = mina.relations
    assert (edge.relation, edge.entry, edge.other) == ("works on", mina.id, crumb.id)


def test_a_new_observation_supersedes_and_keeps_the_relation(archive: Archive, tmp_path: Path) -> None:
    _import(archive, _graph(tmp_path, _GRAPH))
    grown = [{**_GRAPH[0], "observations": ["Bakes bread", "Lives in Berlin"]}, *_GRAPH[1:]]
    assert _counts(_import(archive, _graph(tmp_path, grown))) == {"corrected": 1, "duplicates": 1}
    assert "Mina (person)\n- Bakes bread\n- Lives in Berlin" in _texts(archive)
    current = next(row for row in _rows(archive) if row.name == "Mina" and row.is_current)
    assert [edge.relation for edge in current.relations] == ["works on"]


def test_the_answer_of_the_server_is_read_too(archive: Archive, tmp_path: Path) -> None:
    whole = {
        "entities": [{k: v for k, v in each.items() if k != "type"} for each in _GRAPH[:2]],
        "relations": _GRAPH[2:],
    }
    assert _counts(_import(archive, _graph(tmp_path, [whole]))) == {"added": 2, "relations": 1}


def test_a_relation_to_something_unknown_is_told(archive: Archive, tmp_path: Path) -> None:
    lost = {"type": "relation", "from": "Mina", "to": "nobody", "relationType": "knows"}
    answer = _import(archive, _graph(tmp_path, [*_GRAPH, lost]))
    assert answer["skipped"] == [{"what": "Mina knows nobody", "reason": "unknown_thing"}]


@pytest.mark.req("SEC-10")
@pytest.mark.parametrize(
    "line", ['{"type": "entity"}', '{"type": "entity", "name": 1}', "{", "[]", '{"type": "spell"}', "[" * 100_000]
)
def test_a_broken_graph_is_refused_with_its_line(archive: Archive, tmp_path: Path, line: str) -> None:
    file = _graph(tmp_path, _GRAPH)
    with file.open("a") as more:
        more.write(f"{line}\n")
    with pytest.raises(ImportRefused, match="line 4"):
        _import(archive, file)
    assert _rows(archive) == []


# --- what can't be imported ---


@pytest.mark.req("SEC-10")
@pytest.mark.parametrize("content", [b"", b"plain words\n", b"\x00\xff\n", b'{"some": "json"}\n', b"[" * 100_000])
def test_a_file_of_no_known_format_is_refused(archive: Archive, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(ImportRefused):
        _import(archive, tmp_path / "file")


def test_a_path_that_is_not_there_and_a_format_that_is_not_known_are_refused(archive: Archive, tmp_path: Path) -> None:
    with pytest.raises(ImportRefused, match="not there"):
        _import(archive, tmp_path / "nowhere")
    with pytest.raises(InvalidArgument, match="format"):
        _import(archive, tmp_path, format="spreadsheet")


@pytest.mark.req("SEC-10")
def test_a_file_that_is_too_large_is_refused_before_it_is_read(archive: Archive, tmp_path: Path) -> None:
    with (tmp_path / "huge.jsonl").open("wb") as file:
        file.write(b'{"quoth": "export", "format": 1, "made_at": 1, "key": "", "entries": 0, "versions": 0}\n')
        file.truncate(300 << 20)
    with pytest.raises(ImportRefused, match="larger than"):
        _import(archive, tmp_path / "huge.jsonl")
