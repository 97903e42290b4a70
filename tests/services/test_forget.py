"""Forget: what a tombstone hides, in every answer, also when the log is read again."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from indexing import batch, event, stream
from quoth.core.errors import Ambiguous, Forgotten, InvalidArgument, SaidBefore, TooMany, Uncitable, UnknownId
from quoth.core.ids import EntryId, EventId, entry_id, ulid
from quoth.core.ledger.operations import Draft, Forget, asserting
from quoth.core.memory import Quoted
from quoth.core.model import Answered, Batch, Stream
from quoth.wiring import Kernel
from services.answering import answers, told
from services.archive import Archive
from services.forgotten import AGENT, NOTE, PERSON, PLAIN, SHELF, WOMBAT, WORDS, Home, begin, lines


@pytest.fixture
def home(archive: Archive) -> Home:
    return begin(archive)


def seen(home: Home) -> set[str]:
    """Return which of the ids something answers to."""
    known = answers(home.archive, ids=[*home.events, *home.entries])["known"]
    ids = [*home.events, *home.entries]
    return {id_ for id_ in ids if any(each and id_ in told(each[0]) for each in known)}


# --- what a tombstone hides ---


@pytest.mark.req("QUO-6", "ORI-60")
def test_forgetting_an_entry_hides_all_its_versions_and_nothing_else(home: Home) -> None:
    newer = home.correct(home.crate_entry, "The numbat crate was no mistake.")
    done = home.forget(home.crate_entry)
    assert set(done["forgotten_entries"]) == {home.crate_entry, newer}
    assert (done["excluded_events"], done["tombstone"][:4]) == (0, "tmb_")
    assert seen(home) == {*home.events, home.shelf_entry, home.note_entry}


@pytest.mark.req("ORI-57", "QUO-6")
def test_forgetting_an_entry_with_what_it_cites_hides_no_other_entry(home: Home) -> None:
    done = home.forget(home.shelf_entry, cited=True)
    assert (done["forgotten_entries"], done["excluded_events"]) == ([home.shelf_entry], 1)
    assert seen(home) == {*home.events, *home.entries} - {home.shelf, home.shelf_entry}
    got = home.archive.ask(lambda kernel: kernel.get.run(home.note_entry))
    assert [event["id"] for event in got["sources"]] == [home.note]


@pytest.mark.req("ORI-57")
def test_events_cited_by_any_version_go_with_the_entry(home: Home) -> None:
    home.correct(home.crate_entry, "The numbat crate was no mistake.", home.plain)
    assert home.forget(home.crate_entry, cited=True)["excluded_events"] == 2
    assert not {home.wombat, home.plain} & seen(home)


@pytest.mark.req("ORI-57", "QUO-6")
def test_forgetting_an_event_hides_the_entries_that_cite_it_and_not_what_else_they_cite(home: Home) -> None:
    done = home.forget(home.shelf)
    assert set(done["forgotten_entries"]) == {home.shelf_entry, home.note_entry}
    assert done["excluded_events"] == 1
    assert seen(home) == {*home.events, home.crate_entry} - {home.shelf}


@pytest.mark.req("QUO-6", "ORI-15")
def test_every_spelling_of_an_id_is_understood(home: Home) -> None:
    crate, shelf = EntryId(home.crate_entry), EntryId(home.shelf_entry)
    assert home.forget(ulid(crate))["forgotten_entries"] == [crate]
    assert home.forget(f" {shelf[-16:]} ")["forgotten_entries"] == [shelf]


def test_several_things_are_forgotten_under_one_tombstone(home: Home) -> None:
    done = home.forget([home.crate_entry, home.shelf, home.shelf])
    assert set(done["forgotten_entries"]) == {*home.entries}
    assert done["excluded_events"] == 1
    assert len(home.archive.ask(lambda kernel: kernel.forget.tombstones())) == 1


@pytest.mark.req("ORI-60")
def test_forgetting_what_is_forgotten_records_nothing(home: Home) -> None:
    home.forget(home.shelf)
    again = home.forget([home.shelf, home.shelf_entry])
    assert (again["tombstone"], again["forgotten_entries"], again["excluded_events"]) == (None, [], 0)
    assert len(home.archive.ask(lambda kernel: kernel.forget.tombstones())) == 1


@pytest.mark.req("ORI-60")
def test_an_event_hidden_through_an_entry_can_still_be_forgotten_itself(home: Home) -> None:
    home.forget(home.shelf_entry, cited=True)
    done = home.forget(home.shelf)
    assert (done["forgotten_entries"], done["excluded_events"]) == ([home.note_entry], 0)
    assert done["tombstone"]


@pytest.mark.req("ORI-58", "ORI-49")
def test_what_is_forgotten_cannot_be_cited_or_corrected(home: Home) -> None:
    home.forget(home.shelf)
    cite = [Quoted(home.shelf)]
    with pytest.raises(Uncitable, match=f"Event {home.shelf} has been forgotten and cannot be cited."):
        home.archive.ask(lambda kernel: kernel.remember.run("More.", by=AGENT, kind="memory", sources=cite))
    with pytest.raises(Forgotten, match=f"{home.shelf_entry} has been forgotten."):
        home.archive.ask(lambda kernel: kernel.correct.run(home.shelf_entry, "More.", by=AGENT))


# --- the same words elsewhere ---


@pytest.mark.req("QUO-6")
def test_it_says_how_many_other_events_hold_the_same_words(home: Home) -> None:
    done = home.forget(home.wombat)
    assert (done["excluded_events"], done["also_said"]) == (1, 1)
    assert home.again in seen(home)


@pytest.mark.req("QUO-6")
def test_words_reach_every_other_event_and_entry_that_holds_them(home: Home) -> None:
    sure = [Quoted(home.plain)]
    text = "It is settled: we sell the wombat crate from Monday on. No more talk of it."
    told_by = home.archive.ask(lambda kernel: kernel.remember.run(text, by=AGENT, kind="memory", sources=sure))
    done = home.forget(home.wombat, words=True)
    assert (done["excluded_events"], done["also_said"]) == (2, 0)
    assert set(done["forgotten_entries"]) == {home.crate_entry, told_by["entry"]["id"]}
    assert "the wombat" not in told(answers(home.archive, words=WORDS)).casefold()


@pytest.mark.parametrize(
    "said",
    [
        {"type": "skill", "fields": {"triggers": ["bake bread", WOMBAT]}},
        {"type": "skill", "fields": {"steps": {WOMBAT: [1, 2]}}},
        {"uncited": f"Somebody said: {WOMBAT}"},
        {"tags": [WOMBAT]},
    ],
)
@pytest.mark.req("INV-5", "QUO-6")
def test_words_reach_an_entry_wherever_it_has_them(home: Home, said: dict[str, object]) -> None:
    given = {"by": AGENT, "uncited": "a test says so", **said}
    done = home.archive.ask(lambda kernel: kernel.remember.run("It is baked on Mondays.", **given))
    assert done["entry"]["id"] in home.forget(home.wombat, words=True)["forgotten_entries"]


@pytest.mark.req("QUO-6")
def test_words_are_reached_after_the_event_was_forgotten_alone(home: Home) -> None:
    home.forget(home.wombat)
    done = home.forget(home.wombat, words=True)
    assert (done["excluded_events"], done["also_said"]) == (1, 0)
    assert home.again not in seen(home)


@pytest.mark.req("QUO-6")
def test_the_words_of_an_entry_are_those_it_says_and_quotes(home: Home) -> None:
    quote = [Quoted(home.wombat, "the wombat CRATE from monday")]
    done = home.archive.ask(lambda k: k.remember.run("Crates are sold.", by=AGENT, kind="memory", sources=quote))
    assert home.forget(done["entry"]["id"], dry_run=True)["also_said"] == 2
    reached = home.forget(done["entry"]["id"], words=True, dry_run=True)
    assert set(reached["events"]) == {home.wombat, home.again}


@pytest.mark.req("QUO-6")
def test_the_words_of_a_tool_call_of_our_own_are_reached(archive: Archive) -> None:
    home = begin(archive)
    call = {"type": "tool_use", "id": "toolu_09", "name": "mcp__quoth__remember", "input": {"text": NOTE}}
    record = json.loads(archive.record("", n=9, role="assistant"))
    record["message"]["content"] = [call]
    with archive.log().open("ab") as log:
        log.write(json.dumps(record).encode() + b"\n")
    done = home.forget(home.note, words=True)
    assert done["excluded_events"] == 2


@pytest.mark.parametrize("text", ["ok", "—!?—"])
def test_words_of_a_text_that_says_too_little_are_refused(archive: Archive, text: str) -> None:
    home = begin(archive)
    with archive.log().open("ab") as log:
        log.write(archive.record(text, n=20))
    archive.sync()
    (event,) = [each["id"] for each in archive.events() if each["text"] == text]
    with pytest.raises(InvalidArgument, match="`words`"):
        home.forget(event, words=True)
    assert home.forget(event)["also_said"] == 0


@pytest.mark.parametrize("text", ["货架放在仓库的后面", "Полка стоит за складом", "수납장은 창고 뒤에 있다"])
def test_the_same_words_are_found_in_any_language(archive: Archive, text: str) -> None:
    home = begin(archive)
    with archive.log().open("ab") as log:
        log.write(archive.record(text, n=20) + archive.record(f"（{text.upper()}）", n=21))
    archive.sync()
    event = next(each["id"] for each in archive.events() if each["text"] == text)
    assert home.forget(event)["also_said"] == 1


# --- reasons, previews, the list ---


@pytest.mark.req("ORI-59")
@pytest.mark.parametrize("reason", ["", "  ", "x" * 2_001])
def test_a_reason_is_demanded_and_bounded(home: Home, reason: str) -> None:
    with pytest.raises(InvalidArgument, match="`reason`"):
        home.forget(home.wombat, reason)
    assert home.wombat in seen(home)


@pytest.mark.req("ORI-59", "ORI-72")
def test_tombstones_are_listed_newest_first_without_secrets_or_texts(home: Home) -> None:
    home.forget(home.wombat, "The key AKIAIOSFODNN7EXAMPL3 was in it.\0")
    last = home.forget(home.shelf_entry, "x" * 2_000, cited=True, by=AGENT)
    newest, oldest = home.archive.ask(lambda kernel: kernel.forget.tombstones())
    assert (newest["tombstone"], newest["entries"], newest["cited"]) == (last["tombstone"], [home.shelf_entry], True)
    assert newest["by"].startswith("codex@")
    assert newest["reason"] == "x" * 2_000
    assert oldest["by"].startswith("user@")
    assert (oldest["entries"], oldest["events"], oldest["restored"]) == ([], 1, False)
    assert "AKIA" not in oldest["reason"]
    assert not any(word in told([newest, oldest]) for word in WORDS)


def test_a_home_without_memory_has_no_tombstones_and_gets_no_ledger(archive: Archive) -> None:
    assert archive.ask(lambda kernel: kernel.forget.tombstones()) == []
    assert not (archive.home / "ledger.db").exists()


def test_a_preview_changes_nothing_and_foretells_what_happens(home: Home) -> None:
    before = answers(home.archive, words=WORDS, ids=home.entries)
    preview = home.forget(home.shelf, "", dry_run=True)
    assert answers(home.archive, words=WORDS, ids=home.entries) == before
    done = home.forget(home.shelf)
    assert (preview.pop("tombstone"), preview.pop("events")) == (None, [home.shelf])
    assert preview == {name: done[name] for name in preview}


def test_ids_that_name_nothing_or_several_things_are_refused(home: Home) -> None:
    for given in ("ent_" + "0" * 32, "claude-code:nothing", "what"):
        with pytest.raises(UnknownId):
            home.forget(given)
    with pytest.raises(InvalidArgument):
        home.forget([])
    with pytest.raises(UnknownId):
        home.forget([home.wombat, "claude-code:nothing"])
    assert home.wombat in seen(home)


@pytest.mark.req("ORI-65")
def test_new_lines_are_read_first(home: Home) -> None:
    with home.archive.log().open("ab") as log:
        log.write(home.archive.record("The numbat speaks.", n=30))
    event = home.wombat[:-4] + "001e"
    assert home.forget(event)["excluded_events"] == 1


# --- how much ---


@pytest.mark.req("SEC-8")
def test_an_agent_that_forgets_too_much_in_an_hour_is_stopped_and_the_person_is_not(home: Home) -> None:
    def fill(count: int) -> None:
        def write(kernel: Kernel) -> None:
            actor = AGENT.author(kernel.journal.device()[1])
            drafts = [Draft(Forget(events=(f"codex:{n}",)), actor, "r") for n in range(count)]
            kernel.memory.append(drafts)

        home.archive.ask(write)

    fill(99)
    assert home.forget(home.wombat, by=AGENT)["tombstone"]
    with pytest.raises(TooMany, match="codex may do at most 100 forgets within an hour"):
        home.forget(home.shelf, by=AGENT)
    assert home.shelf in seen(home)
    assert home.forget(home.wombat, by=AGENT)["tombstone"] is None
    assert home.forget(home.shelf)["tombstone"]


@pytest.mark.req("SEC-8")
def test_one_call_of_an_agent_counts_as_much_as_it_reaches(home: Home) -> None:
    with home.archive.log().open("ab") as log:
        log.writelines(home.archive.record(f"{PLAIN} {n}", n=100 + n) for n in range(100))
    with pytest.raises(TooMany):
        home.forget(home.plain, by=AGENT, words=True)
    assert home.forget(home.plain, by=AGENT)["also_said"] == 100
    assert home.forget(home.plain, words=True)["excluded_events"] == 100


# --- everywhere, also later ---


@pytest.mark.req("INV-5", "ORI-58", "ORI-42")
def test_what_is_forgotten_is_in_no_answer_also_after_reading_again_and_rebuilding(home: Home) -> None:
    archive = home.archive
    hidden = [home.wombat, home.again, home.note, home.title, home.crate_entry, home.note_entry]
    before = answers(archive, words=WORDS, ids=[*home.events, *home.entries])
    first = home.forget([home.wombat, home.note])
    second = home.forget([home.again, home.title])

    def demand_hidden() -> dict[str, object]:
        after = answers(archive, words=WORDS)
        text = told(after)
        assert not [id_ for id_ in hidden if f'"{id_}"' in text]
        assert not [word for word in ("wombat", "quokka", "numbat") if word in text.casefold()]
        assert home.shelf in text
        return after

    once = demand_hidden()
    (place,) = archive.ask(lambda kernel: kernel.sources.run(home.call))
    assert place["raw"] == "[withheld: a forgotten event is on this line]"
    assert place["withheld"] is True
    archive.rebuild()
    assert demand_hidden() == once
    archive.log().write_bytes(b"".join(lines(archive)[1:4] + lines(archive)[:1] + lines(archive)[4:]))
    archive.sync()
    demand_hidden()
    home.restore(first["tombstone"])
    home.restore(second["tombstone"])
    assert seen(home) == {*home.events, *home.entries}
    assert answers(archive)["sessions"] == before["sessions"]


@pytest.mark.req("INV-5", "ORI-30", "ORI-42")
def test_a_session_of_forgotten_events_is_gone(home: Home) -> None:
    home.forget(home.events)
    after = answers(home.archive, words=WORDS)
    assert (after["sessions"], after["known"]) == ([], [])


@pytest.mark.req("INV-5", "ORI-30")
def test_a_title_that_tells_what_only_forgotten_events_said_is_not_shown(home: Home) -> None:
    home.forget([home.wombat, home.again])
    (session,) = home.archive.ask(lambda kernel: kernel.timeline.sessions(since=None))["sessions"]
    assert (session["title"], session["prompt"]) == (None, SHELF)


@pytest.mark.req("INV-5")
def test_another_process_that_is_open_hides_it_too(home: Home) -> None:
    kernel = home.archive.kernel()
    try:
        (session,) = kernel.timeline.sessions(since=None)["sessions"]
        assert session["events"] == 7
        home.forget(home.wombat)
        (session,) = kernel.timeline.sessions(since=None)["sessions"]
        assert session["events"] == 6
        assert home.wombat not in told(kernel.timeline.session(session["session"], include_tools=True))
        assert home.wombat not in told(kernel.search.run("wombat"))
        with pytest.raises(Forgotten):
            kernel.get.run(home.wombat)
    finally:
        kernel.close()


@pytest.mark.req("INV-5")
def test_words_that_are_said_again_are_refused_without_naming_what_is_forgotten(home: Home) -> None:
    home.forget(home.crate_entry)
    given = {"by": AGENT, "uncited": "a test says so"}
    for again in (
        lambda kernel: kernel.remember.run("The numbat crate was a mistake.", kind="memory", **given),
        lambda kernel: kernel.correct.run(home.note_entry, "The numbat crate was a mistake.", by=AGENT),
    ):
        with pytest.raises(SaidBefore, match="is forgotten") as refused:
            home.archive.ask(again)
        assert (home.crate_entry in str(refused.value), refused.value.entry) == (False, None)


@pytest.mark.req("INV-5")
def test_an_ambiguous_ending_names_the_candidates_that_are_not_forgotten(home: Home) -> None:
    def twins(kernel: Kernel) -> list[str]:
        row = kernel.memory.any_entry(home.crate_entry)
        made = [entry_id(bytes([n]) + bytes(11) + b"\xaa\xbb\xcc\xdd") for n in (1, 2)]
        kernel.memory.append([Draft(asserting(each, row.version.statement), "user@here") for each in made])
        return made

    made = home.archive.ask(twins)
    with pytest.raises(Ambiguous) as refused:
        home.forget("aabbccdd")
    assert set(refused.value.candidates) == set(made)
    home.forget(made[0])
    assert home.archive.ask(lambda kernel: kernel.get.run("aabbccdd"))["entry"]["id"] == made[1]
    home.forget("aabbccdd")
    with pytest.raises(Forgotten):
        home.archive.ask(lambda kernel: kernel.get.run("aabbccdd"))


# --- ids that are several or change ---


LOG, EDITOR = stream(1, key="log"), stream(2, key="editor")


def put(archive: Archive, *batches: Batch) -> None:
    def write(kernel: Kernel) -> None:
        for each in batches:
            kernel.index.put([each])
        kernel.index.settle()
        kernel.memory.catch_up()

    archive.ask(write)


def told_by(name: str, text: str = "The numbat sleeps.", *, of: Stream = LOG, weight: int = 0) -> Batch:
    """Return a log whose one line is always the same, whatever its event is called."""
    return batch(of, replace(event(name, text, weight=weight), sha256=b"#" * 32))


@pytest.mark.req("ORI-57", "INV-5")
@pytest.mark.parametrize("given", ["log1", "editor1", "older1"])
def test_an_event_is_forgotten_under_all_of_its_ids(archive: Archive, given: str) -> None:
    put(archive, told_by("log1"), told_by("editor1", of=EDITOR, weight=2))
    archive.ask(lambda kernel: kernel.index.keep([Answered(EventId("claude-code:older1"), 1, 1, 0)]))
    by = {"by": PERSON}
    done = archive.ask(lambda kernel: kernel.forget.run(f"claude-code:{given}", "Not ours.", **by))
    assert done["excluded_events"] == 1
    for each in ("log1", "editor1", "older1"):
        with pytest.raises(Forgotten):
            archive.ask(lambda kernel, each=each: kernel.get.run(f"claude-code:{each}"))
    assert archive.search("numbat") == []
    again = archive.ask(lambda kernel: kernel.forget.run("claude-code:log1", "Not ours.", **by))
    assert again["tombstone"] is None


@pytest.mark.req("INV-1", "INV-5")
def test_what_is_forgotten_stays_so_when_the_rule_of_its_id_changes(archive: Archive) -> None:
    put(archive, told_by("one"), told_by("two", "The wombat wakes.", of=EDITOR))
    done = archive.ask(lambda kernel: kernel.forget.run("claude-code:one", "Not ours.", by=PERSON))
    for file in archive.home.glob("index-*"):
        file.unlink()
    put(archive, told_by("uno"), told_by("due", "The wombat wakes.", of=EDITOR))
    assert archive.search("numbat") == []
    assert [row["id"] for row in archive.search("wombat")] == ["claude-code:due"]
    for given in ("one", "uno"):
        with pytest.raises(Forgotten):
            archive.ask(lambda kernel, given=given: kernel.get.run(f"claude-code:{given}"))
    restored = archive.ask(lambda kernel: kernel.undo.run(done["tombstone"], by=PERSON, how="terminal"))
    assert restored["restored_events"] == 1
    assert [row["id"] for row in archive.search("numbat")] == ["claude-code:uno"]
