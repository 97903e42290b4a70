"""What becomes of logs that grow, shrink, move, are rewritten, compressed and deleted."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quoth.core.ids import EventId
from quoth.core.model import Event, Fact, Json, Line, Stream
from quoth.core.names import mirror_name
from quoth.core.ports import Adapter, Parser
from quoth.readers.compressed import zstd
from quoth.wiring import Kernel, Unseen
from services.archive import CLAUDE_SESSION, Archive

SAMPLES = Path(__file__).parent.parent / "data" / "sources"
TALK = ["Why is the oven log empty?", "It is rotated at noon.", "烤箱温度为什么不对？", "传感器读数是华氏度。"]


def mirrored(archive: Archive) -> dict[str, bytes]:
    """Return the bytes of every stream, by name."""

    def read(kernel: Kernel) -> dict[str, bytes]:
        return {name: b"".join(kernel.mirror.read(name)) for name in kernel.mirror.names()}

    return archive.ask(read)


def write(path: Path, lines: list[bytes]) -> None:
    path.write_bytes(b"".join(lines))


@pytest.mark.req("ARC-2")
def test_ingesting_twice_is_ingesting_once(archive: Archive) -> None:
    write(archive.log(), archive.records(TALK))
    first = archive.sync()
    before = archive.answers()
    second = archive.sync()
    assert (first.events, second.events) == (4, 0)
    assert archive.answers() == before


@pytest.mark.req("ARC-2", "ARC-3")
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(shares=st.lists(st.integers(0, 1000), max_size=8))
def test_reading_while_the_file_grows_gives_the_same_as_reading_it_once(
    shares: list[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("grow")
    grown, once = Archive(folder, "grown"), Archive(folder, "once")
    whole = b"".join(grown.records(TALK)) + '{"type":"user","torn":"好'.encode()[:-1]
    cuts = [len(whole) * share // 1000 for share in sorted(shares)]
    log = grown.log()
    for cut in [*cuts, len(whole)]:
        with log.open("ab") as file:
            file.write(whole[file.tell() : cut])
        grown.sync()
    once.sync()
    assert grown.answers()["events"] == once.answers()["events"]
    assert set(mirrored(grown).values()) == {whole}


@pytest.mark.req("ARC-1", "ARC-7")
def test_a_rewrite_of_the_same_size_and_time_is_noticed_and_both_versions_are_kept(archive: Archive) -> None:
    log = archive.log()
    write(log, archive.records(TALK))
    archive.sync()
    before, old = log.stat(), log.read_bytes()
    new = old.replace(b"oven log empty", b"oven log EMPTY")
    log.write_bytes(new)
    os.utime(log, ns=(before.st_atime_ns, before.st_mtime_ns))
    archive.sync()
    held = mirrored(archive)
    assert sorted(held.values()) == sorted([old, new])
    assert len([name for name in held if name.endswith(".g2")]) == 1
    assert "Why is the oven log EMPTY?" in archive.spoken()
    assert len(archive.spoken()) == 4


@pytest.mark.req("ARC-7", "INV-3")
def test_a_truncated_log_begins_a_generation_and_old_events_keep_their_lines(archive: Archive) -> None:
    log = archive.log()
    lines = archive.records(TALK)
    write(log, lines)
    archive.sync()
    before = archive.answers()
    write(log, [lines[0], lines[3]])
    archive.sync()
    after = archive.answers()
    assert after["events"] == before["events"]
    kept = {event: places[0] for event, places in after["sources"].items()}
    assert {event: (place["line"], place["raw"]) for event, place in kept.items()} == {
        event: (places[0]["line"], places[0]["raw"]) for event, places in before["sources"].items()
    }
    last = after["events"][CLAUDE_SESSION][3]["id"]
    assert [(place["generation"], place["line"]) for place in after["sources"][last]] == [(1, 4), (2, 2)]


@pytest.mark.req("ARC-7")
def test_a_log_that_moves_to_another_folder_stays_one_stream(archive: Archive) -> None:
    log = archive.log()
    write(log, archive.records(TALK[:2]))
    archive.sync()
    moved = archive.log(folder="-work-other")
    log.rename(moved)
    with moved.open("ab") as file:
        file.write(b"".join(archive.records(TALK[2:], first=3)))
    report = archive.sync()
    assert report.events == 2
    assert list(mirrored(archive).values()) == [moved.read_bytes()]
    places = archive.answers()["sources"].values()
    assert {place["original_file"] for listed in places for place in listed} == {str(moved)}


@pytest.mark.req("ARC-1", "ARC-7")
def test_a_log_that_is_deleted_stays_readable(archive: Archive) -> None:
    log = archive.log()
    write(log, archive.records(TALK))
    archive.sync()
    before = archive.answers()
    log.unlink()
    archive.sync()
    assert archive.answers() == before


@pytest.mark.req("ARC-1", "ARC-7")
def test_a_log_that_is_compressed_unpacked_and_continued_stays_one_stream(archive: Archive) -> None:
    shutil.copytree(SAMPLES / "codex" / "everyday" / "home", archive.codex)
    plain = min((archive.codex / "sessions").rglob("*.jsonl"))
    archive.sync()
    before, content = archive.answers(), plain.read_bytes()
    packed = plain.with_name(plain.name + ".zst")
    packed.write_bytes(zstd.compress(content))
    plain.unlink()
    assert archive.sync().events == 0
    assert archive.answers() == before
    more = content.splitlines(keepends=True)[-1].replace(b"2026", b"2027")
    plain.write_bytes(content + more)
    packed.unlink()
    archive.sync()
    names = [name for name in mirrored(archive) if plain.stem in name]
    assert len(names) == 1
    assert mirrored(archive)[names[0]] == content + more


@pytest.mark.req("ARC-1")
def test_two_roots_with_the_same_relative_path_stay_apart(archive: Archive) -> None:
    second = archive.folder / "second"
    archive.env["CLAUDE_CONFIG_DIR"] = f"{archive.claude},{second}"
    write(archive.log(), archive.records(["said in the first home"]))
    other = second / archive.log().relative_to(archive.claude)
    other.parent.mkdir(parents=True)
    write(other, archive.records(["said in the second home"], first=100))
    archive.sync()
    assert sorted(archive.spoken()) == ["said in the first home", "said in the second home"]
    assert len(mirrored(archive)) == 2


@pytest.mark.req("ARC-1", "ARC-7")
def test_two_agents_that_share_a_folder_do_not_think_each_others_files_gone(archive: Archive) -> None:
    archive.env["CODEX_HOME"] = str(archive.claude)
    write(archive.log(), archive.records(TALK))
    shutil.copytree(SAMPLES / "codex" / "everyday" / "home" / "sessions", archive.claude / "sessions")
    archive.sync()
    archive.sync()
    assert set(gone_files(archive).values()) == {0}


@pytest.mark.req("ARC-7", "QUO-9")
def test_a_pass_over_one_source_leaves_what_is_known_of_the_others(archive: Archive) -> None:
    write(archive.log(), archive.records(TALK))
    shutil.copytree(SAMPLES / "codex" / "everyday" / "home", archive.codex)
    archive.sync()
    archive.log().unlink()
    archive.sync()
    archive.sync(only=["codex"])
    assert gone_files(archive)["claude-code"] == 1


@pytest.mark.req("QUO-9", "QUO-11")
def test_a_file_that_is_excluded_later_is_not_taken_for_gone(archive: Archive) -> None:
    write(archive.log(), archive.records(TALK))
    archive.sync()
    archive.ask(lambda kernel: kernel.exclude.add("pattern", "*.jsonl"))
    archive.sync()
    assert gone_files(archive)["claude-code"] == 0


def gone_files(archive: Archive) -> dict[str, int]:
    status = archive.ask(lambda kernel: kernel.status.run())
    return {source["source"]: source["gone_files"] for source in status["sources"]}


@pytest.mark.req("ARC-6", "ARC-2")
@pytest.mark.parametrize("together", [True, False])
def test_a_fork_counts_only_what_is_new_in_it(archive: Archive, *, together: bool) -> None:
    fork = "9d6f0c1a-3b5e-4c55-8a41-0e5d1b7c9a22"
    origin = archive.records(TALK)
    write(archive.log(), origin)
    os.utime(archive.log(), (1_000_000_000, 1_000_000_000))
    if not together:
        archive.sync()
    copied = [line.replace(CLAUDE_SESSION.encode(), fork.encode()) for line in origin]
    write(archive.log(fork), [*copied, archive.record("And in the fork?", n=50, session=fork)])
    archive.sync()
    answers = archive.answers()
    counted = {row["session"]: (row["events"], row["forked_from"]) for row in answers["sessions"]}
    assert counted == {CLAUDE_SESSION: (4, None), fork: (1, CLAUDE_SESSION)}
    assert [event["text"] for event in answers["events"][fork]] == ["And in the fork?"]


@pytest.mark.req("ARC-10")
def test_absurd_and_missing_times_lose_nothing_and_keep_the_order_of_the_file(archive: Archive) -> None:
    times = ["2026-10-19T08:00:00Z", "0000-00-00", "9999-12-31T23:59:59Z", None, "1969-01-01T00:00:00Z", 12]
    lines = [archive.record(f"line {i}", n=i, timestamp=time) for i, time in enumerate(times)]
    write(archive.log(), lines)
    archive.sync()
    assert archive.spoken() == [f"line {i}" for i in range(len(times))]


@pytest.mark.req("INV-6", "ARC-8")
def test_a_broken_adapter_is_reported_and_stops_nothing_else(archive: Archive) -> None:
    write(archive.log(), archive.records(TALK))
    shutil.copytree(SAMPLES / "codex" / "everyday" / "home", archive.codex)
    kernel = archive.kernel()
    broken = _Broken(kernel.adapters["claude-code"])
    kernel.__dict__["adapters"] = {**kernel.adapters, "claude-code": broken}
    report = kernel.ingest.run(Unseen())
    kernel.close()
    by_source = {source.source: source for source in report.sources}
    assert by_source["claude-code"].failed == 1
    assert [skipped.reason for skipped in by_source["claude-code"].skipped] == ["adapter failed (ZeroDivisionError)"]
    assert by_source["codex"].events > 0
    archive.sync()
    assert len(archive.spoken()) > len(TALK) - 1, "the log is read again once the adapter works"


@pytest.mark.req("INV-6")
def test_a_source_whose_module_does_not_load_is_reported_and_stops_nothing_else(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(archive.log(), archive.records(TALK))
    shutil.copytree(SAMPLES / "codex" / "everyday" / "home", archive.codex)
    archive.sync()
    before = archive.answers()["sessions"]
    monkeypatch.delattr("quoth.sources.codex.ADAPTER")
    report = {source.source: source for source in archive.sync().sources}
    assert [skipped.reason for skipped in report["codex"].skipped] == ["adapter_broken"]
    assert report["codex"].failed == 1
    after = archive.answers()["sessions"]
    assert [row["session"] for row in after] == [row["session"] for row in before]
    assert {row["resume"] for row in after if row["source"] == "codex"} == {None}


@pytest.mark.req("INV-6", "INV-1")
def test_a_rebuild_leaves_out_what_a_broken_adapter_can_not_read_and_says_so(archive: Archive) -> None:
    write(archive.log(), archive.records(TALK))
    shutil.copytree(SAMPLES / "codex" / "everyday" / "home", archive.codex)
    archive.sync()
    kernel = archive.kernel()
    kernel.__dict__["adapters"] = {**kernel.adapters, "claude-code": _Broken(kernel.adapters["claude-code"])}
    rebuilt = kernel.rebuild.run(Unseen())
    assert (rebuilt.events > 20, rebuilt.failed) == (True, 1)
    assert [reason.reason for source, reason in kernel.index.skips() if source == "claude-code"] == [
        "adapter failed (ZeroDivisionError)"
    ]
    kernel.close()
    archive.sync()
    assert set(TALK) <= set(archive.spoken()), "read again once the adapter works"


@pytest.mark.req("ARC-2")
def test_watching_goes_on_in_the_new_index_when_another_process_rebuilds(archive: Archive) -> None:
    write(archive.log(), archive.records(TALK[:2]))
    kernel = archive.kernel()
    turns = iter([False, True])

    def between(_: float) -> bool:
        archive.rebuild()
        with archive.log().open("ab") as log:
            log.write(b"".join(archive.records(TALK[2:], first=3)))
        return next(turns)

    kernel.watching(between).run(Unseen(), lambda _: None, interval_ms=1)
    kernel.close()
    assert archive.spoken() == TALK


@pytest.mark.req("INV-1")
def test_an_id_that_was_answered_once_answers_when_the_rule_of_ids_has_changed(archive: Archive) -> None:
    shutil.copytree(SAMPLES / "claude-code" / "everyday" / "home", archive.claude)
    archive.sync()
    before = archive.answers()
    for rule in ("v2", "v3"):
        rebuild_with(archive, rule)
        for old, detail in before["details"].items():
            now = archive.ask(lambda kernel, old=old: kernel.get.run(old))
            assert now["id"].endswith(f":{rule}")
            assert {**now, "id": old} == detail
            places = archive.ask(lambda kernel, old=old: kernel.sources.run(old))
            assert [{**place, "event_id": old} for place in places] == before["sources"][old]
    archive.rebuild()
    assert archive.answers() == before
    some = next(iter(before["details"]))
    assert archive.ask(lambda kernel: kernel.get.run(f"{some}:v2"))["id"] == some


@pytest.mark.req("INV-1")
def test_an_id_outlives_a_rebuild_in_which_its_adapter_fails(archive: Archive) -> None:
    shutil.copytree(SAMPLES / "claude-code" / "everyday" / "home", archive.claude)
    archive.sync()
    before = archive.answers()["details"]
    for _ in range(2):
        rebuild_as(archive, _Broken)
    rebuild_with(archive, "v2")
    for old, detail in before.items():
        assert {**archive.ask(lambda kernel, old=old: kernel.get.run(old)), "id": old} == detail


def rebuild_with(archive: Archive, rule: str) -> None:
    rebuild_as(archive, lambda real: _Renaming(real, rule))


def rebuild_as(archive: Archive, adapter: Callable[[Adapter], object]) -> None:
    """Rebuild with what stands in for the adapter of Claude Code."""
    kernel = archive.kernel()
    kernel.__dict__["adapters"] = {**kernel.adapters, "claude-code": adapter(kernel.adapters["claude-code"])}
    kernel.rebuild.run(Unseen())
    kernel.close()


class _Renaming:
    """An adapter that makes other ids than it did."""

    def __init__(self, real: Adapter, rule: str) -> None:
        self._real, self._rule = real, rule

    def __getattr__(self, name: str) -> object:
        return getattr(self._real, name)

    def parser(self, stream: Stream, state: Json = None) -> _RenamingParser:
        return _RenamingParser(self._real.parser(stream, state), self._rule)


class _RenamingParser:
    def __init__(self, real: Parser, rule: str) -> None:
        self._real, self._rule = real, rule
        self.state = real.state

    def feed(self, line: Line) -> list[Fact]:
        return [
            replace(fact, id=EventId(f"{fact.id}:{self._rule}")) if isinstance(fact, Event) else fact
            for fact in self._real.feed(line)
        ]


class _Broken:
    """An adapter whose parser fails on the second line."""

    def __init__(self, real: object) -> None:
        self._real = real

    def __getattr__(self, name: str) -> object:
        return getattr(self._real, name)

    def parser(self, *_: object) -> object:
        return self

    def feed(self, _: object) -> list[object]:
        return [1 / 0]

    def state(self) -> None:
        return None


@pytest.mark.req("INV-1")
def test_a_rebuild_answers_the_same(archive: Archive) -> None:
    for source, root in (("claude-code", archive.claude), ("codex", archive.codex)):
        shutil.copytree(SAMPLES / source / "everyday" / "home", root)
    archive.sync()
    before = archive.answers()
    for file in archive.home.glob("index-*"):
        file.unlink()
    shutil.rmtree(archive.claude)
    shutil.rmtree(archive.codex)
    archive.rebuild()
    assert archive.answers() == before
    assert len(before["sessions"]) > 5


@pytest.mark.req("INV-1", "ARC-2")
def test_a_lost_index_is_made_again_by_the_next_sync(archive: Archive) -> None:
    write(archive.log(), archive.records(TALK))
    archive.sync()
    before = archive.answers()
    for file in archive.home.glob("index-*"):
        file.unlink()
    archive.sync()
    assert archive.answers() == before


@pytest.mark.req("INV-3")
def test_every_event_leads_to_its_line_in_the_mirror_and_in_the_original_file(archive: Archive) -> None:
    for source, root in (("claude-code", archive.claude), ("codex", archive.codex)):
        shutil.copytree(SAMPLES / source / "everyday" / "home", root)
    archive.sync()
    places = [place for listed in archive.answers()["sources"].values() for place in listed]
    assert len(places) > 50
    plain = [p for p in places if p["original_file"].endswith("l") and Path(p["original_file"]).exists()]
    assert len(plain) > 40
    for place in plain:
        first = place["line"] - 1
        original = Path(place["original_file"]).read_bytes().split(b"\n")[first : first + place["lines"]]
        assert place["raw"] == b"\n".join(original).decode("utf-8", "replace")[: len(place["raw"])]


@pytest.mark.req("ARC-4")
def test_what_is_no_log_is_reported_and_not_followed(archive: Archive) -> None:
    write(archive.log(), archive.records(TALK))
    os.mkfifo(archive.log("0f0f0f0f-0000-4000-8000-000000000001"))
    archive.log("0f0f0f0f-0000-4000-8000-000000000002").symlink_to("/etc/hostname")
    archive.log("0f0f0f0f-0000-4000-8000-000000000003").mkdir()
    report = {source.source: source for source in archive.sync().sources}
    assert len(archive.spoken()) == 4
    assert {skipped.reason for skipped in report["claude-code"].skipped} >= {"not_a_file", "link_outside"}


def test_names_of_the_mirror_are_portable() -> None:
    name = mirror_name("codex", "r", "sessions/a:b/CON/" + "长" * 200 + "/x.zst", 2)
    assert all(len(part.encode()) <= 255 for part in name.split("/"))
    assert not set(':*?"<>|\\') & set(name)
