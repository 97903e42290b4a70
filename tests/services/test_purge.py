"""Purging leaves no byte and no vocabulary of what was purged, and everything else as it was (INV-5)."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

import parts_logs
from codex_logs import event as codex_event
from codex_logs import item as codex_item
from codex_logs import meta, user_item
from quoth.core.errors import Forgotten, InvalidArgument, UnknownId
from quoth.core.memory import Fate
from services.archive import CLAUDE_SESSION, Archive
from services.purged import PERSON, findings, left, plan, purge, remember, streams

SECRET = "the vault opens with Zanzibar Quillwort at dawn"
TALK = ["hello there", "an answer", SECRET, "I see, noted", "more words of the day", "and the last one"]


def title(text: str) -> bytes:
    return json.dumps({"type": "ai-title", "aiTitle": text, "sessionId": CLAUDE_SESSION}).encode() + b"\n"


def talk(archive: Archive, *more: bytes) -> Path:
    log = archive.log()
    log.write_bytes(b"".join([*archive.records(TALK), *more]))
    archive.sync()
    return log


def found(archive: Archive, words: str) -> str:
    return str(archive.search(words)[0]["id"])


def fate(archive: Archive, event: str) -> Fate:
    return archive.ask(lambda kernel: kernel.memory.entries.fate(event))


@pytest.mark.req("INV-5")
def test_of_a_purged_event_no_file_of_the_home_holds_a_word(archive: Archive) -> None:
    talk(archive, title(SECRET))
    event = found(archive, "Zanzibar")
    assert len(left(archive, SECRET)) > 1
    done = purge(archive, event)
    assert (done.events, done.also_said, done.stays) == ((event,), 0, ())
    assert left(archive, SECRET) == []
    assert archive.search("Zanzibar") == []
    assert fate(archive, event) is Fate.DESTROYED
    with pytest.raises(Forgotten):
        archive.ask(lambda kernel: kernel.get.run(event))
    assert findings(archive) == []


@pytest.mark.req("INV-5", "ARC-1")
def test_everything_else_stays_in_its_place_and_proves(archive: Archive) -> None:
    log = talk(archive)
    before, sizes = archive.answers(), streams(archive)
    event = found(archive, "Zanzibar")
    purge(archive, event)
    after = archive.answers()
    del before["sources"][event], before["details"][event]
    assert after["sources"] == before["sources"]
    assert after["details"] == before["details"]
    assert streams(archive) == sizes == {name: log.stat().st_size for name in sizes}


@pytest.mark.req("INV-5", "ARC-7")
@pytest.mark.parametrize("change", ["untouched", "touched", "grown", "compressed"])
def test_the_log_of_the_agent_is_not_mirrored_again(archive: Archive, change: str) -> None:
    log = talk(archive)
    purge(archive, found(archive, "Zanzibar"))
    sizes, grown = streams(archive), 0
    if change == "touched":
        os.utime(log, (1, 1))
    if change == "grown":
        line = archive.record("a line behind it", n=99)
        with log.open("ab") as file:
            grown = file.write(line)
    if change == "compressed":
        from quoth.readers.compressed import zstd

        log.with_name(f"{log.name}.zst").write_bytes(zstd.compress(log.read_bytes()))
        log.unlink()
    archive.sync()
    archive.sync()
    assert streams(archive) == {name: size + grown for name, size in sizes.items()}
    assert left(archive, SECRET) == []


@pytest.mark.req("INV-5", "ARC-7")
@pytest.mark.parametrize("spelled", ["as it was", "anew"])
def test_a_rewritten_log_brings_nothing_back(archive: Archive, spelled: str) -> None:
    log = talk(archive)
    event = found(archive, "Zanzibar")
    purge(archive, event)
    lines = log.read_bytes().splitlines(keepends=True)
    if spelled == "anew":
        lines = [json.dumps(json.loads(line), indent=None, separators=(",", ":")).encode() + b"\n" for line in lines]
    log.write_bytes(archive.record("a new beginning", n=50) + b"".join(lines))
    archive.sync()
    assert len(streams(archive)) == 2, "it is a new generation"
    assert left(archive, SECRET) == []
    assert "a new beginning" in archive.spoken()
    archive.rebuild()
    assert left(archive, SECRET) == []
    assert fate(archive, event) is Fate.DESTROYED
    assert len(archive.spoken()) == len(TALK)
    archive.sync()
    assert len(streams(archive)) == 2


@pytest.mark.req("INV-5")
def test_a_copy_in_another_folder_and_a_line_that_arrives_in_two_pieces_bring_nothing_back(archive: Archive) -> None:
    log = talk(archive)
    purge(archive, found(archive, "Zanzibar"))
    whole = log.read_bytes()
    cut = whole.index(b"Quillwort")
    copy = archive.log(folder="-elsewhere")
    copy.write_bytes(whole[:cut])
    archive.sync()
    with copy.open("ab") as file:
        file.write(whole[cut:])
    archive.sync()
    assert left(archive, SECRET) == []
    assert len(archive.spoken()) == len(TALK) - 1


@pytest.mark.req("INV-5")
def test_what_others_say_on_the_same_line_stays(archive: Archive) -> None:
    blocks = [{"type": "text", "text": "a thought that stays"}, {"type": "text", "text": SECRET}]
    line = archive.record("", n=7, role="assistant", message={"role": "assistant", "content": blocks})
    talk_of_two = archive.log()
    talk_of_two.write_bytes(archive.record("begin", n=1) + line)
    archive.sync()
    shared = found(archive, "stays")
    entry = remember(archive, "A thought", shared, "a thought that stays")
    assert purge(archive, found(archive, "Zanzibar")).events_along == ()
    assert left(archive, SECRET) == []
    (source,) = archive.ask(lambda kernel: kernel.sources.run(shared))
    assert "a thought that stays" in source["raw"]
    assert len(source["raw"].encode()) == len(line) - 1
    assert archive.ask(lambda kernel: kernel.memory.entry(entry).cites[0].event) == shared
    assert findings(archive) == []
    archive.sync()
    assert len(streams(archive)) == 1


@pytest.mark.req("INV-5")
def test_an_entry_that_cites_a_purged_event_goes_with_it(archive: Archive) -> None:
    talk(archive)
    event = found(archive, "Zanzibar")
    citing = remember(archive, "Dawn is when it opens", event, "Zanzibar Quillwort")
    other = remember(archive, "Bread is baked at night")
    done = purge(archive, event)
    assert (done.entries, done.entries_along) == ((), (citing,))
    assert left(archive, "Zanzibar Quillwort") == []
    assert left(archive, "Dawn is when it opens") == []
    assert archive.ask(lambda kernel: kernel.memory.entry(other).version.statement.text) == "Bread is baked at night"
    assert findings(archive) == []


@pytest.mark.req("INV-5")
def test_of_a_purged_entry_neither_ledger_nor_the_call_that_wrote_it_is_left(archive: Archive) -> None:
    text = "Our vault word is Zanzibar Quillwort"
    call = {"type": "tool_use", "id": "t1", "name": "mcp__quoth__remember", "input": {"text": text, "kind": "memory"}}
    talk_line = archive.record("", n=7, role="assistant", message={"role": "assistant", "content": [call]})
    archive.log().write_bytes(archive.record("begin", n=1) + talk_line)
    archive.sync()
    entry = remember(archive, text)
    done = purge(archive, entry)
    assert (done.entries, done.events) == ((entry,), ())
    assert left(archive, text) == []
    assert archive.spoken() == ["begin"]
    assert findings(archive) == []


@pytest.mark.req("INV-5")
def test_words_are_purged_wherever_they_stand(archive: Archive) -> None:
    log = talk(archive, title("About zanzibar   quillwort"))
    rollout = archive.rollout("019cdc2d-99f0-7790-9870-954b1321bc2b")
    said = "Is ZANZIBAR\nQuillwort a name?"
    records = [meta(), user_item("10:00:01.000", said), codex_event("10:00:01.100", "user_message", message=said)]
    answer = codex_item(
        "10:00:02.000", "message", role="assistant", content=[{"type": "output_text", "text": "A fine one."}]
    )
    rollout.write_bytes(b"".join(json.dumps(record).encode() + b"\n" for record in [*records, answer]))
    archive.sync()
    hidden = found(archive, "quillwort")
    archive.ask(lambda kernel: kernel.forget.run(hidden, "It says Zanzibar Quillwort", by=PERSON))
    entry = remember(archive, "Nobody knows that flower")
    assert remember(archive, "zanzibar QuillWort is a name") != entry
    done = purge(archive, words="Zanzibar Quillwort")
    assert len(done.entries) == 1
    assert left(archive, "Zanzibar Quillwort") == []
    assert "A fine one." in archive.spoken()
    assert findings(archive) == []
    log.touch()
    archive.sync()
    archive.rebuild()
    assert left(archive, "Zanzibar Quillwort") == []


@pytest.mark.req("INV-5")
def test_a_message_of_codex_goes_with_its_repeat(archive: Archive) -> None:
    rollout = archive.rollout("019cdc2d-99f0-7790-9870-954b1321bc2b")
    records = [
        meta(),
        user_item("10:00:01.000", SECRET),
        codex_event("10:00:01.100", "user_message", message=SECRET),
        user_item("10:00:05.000", "something else"),
        codex_event("10:00:05.100", "user_message", message="something else"),
    ]
    rollout.write_bytes(b"".join(json.dumps(record).encode() + b"\n" for record in records))
    archive.sync()
    event, sizes = found(archive, "Zanzibar"), streams(archive)
    purge(archive, event)
    assert left(archive, SECRET) == []
    assert archive.spoken() == ["something else"]
    archive.sync()
    assert streams(archive) == sizes
    rollout.write_bytes(
        b"".join(json.dumps(record, indent=None).encode() + b"\n" for record in [*records, records[-1]])
    )
    archive.sync()
    archive.rebuild()
    assert left(archive, SECRET) == []
    assert fate(archive, event) is Fate.DESTROYED


@pytest.mark.req("INV-5")
def test_rows_of_a_database_do_not_come_back(archive: Archive) -> None:
    path = archive.folder / ".local" / "share" / "opencode" / "opencode.db"
    writer = parts_logs.Writer(path, "opencode-1")
    writer.session("ses_1", 0)
    writer.said("user", "msg_1", "ses_1", 1, SECRET)
    writer.said("user", "msg_2", "ses_1", 2, "bread and butter")
    archive.sync()
    event, sizes = found(archive, "Zanzibar"), streams(archive)
    purge(archive, event)
    assert left(archive, SECRET) == []
    archive.sync()
    assert streams(archive) == sizes
    writer.said("user", "msg_3", "ses_1", 3, "a third one")
    writer.change("part", "prt_msg_1", 4, type="text", text=f"{SECRET} and more")
    archive.sync()
    assert left(archive, SECRET) == []
    assert archive.spoken() == ["bread and butter", "a third one"]
    writer.close()


@pytest.mark.req("INV-5")
def test_an_export_keeps_its_other_messages(archive: Archive) -> None:
    def chat(*said: str) -> dict[str, Any]:
        mapping: dict[str, Any] = {
            f"m{n}": {
                "message": {
                    "id": f"m{n}",
                    "author": {"role": ("user", "assistant")[n % 2]},
                    "content": {"content_type": "text", "parts": [words]},
                },
                "parent": f"m{n - 1}" if n else None,
                "children": [f"m{n + 1}"],
            }
            for n, words in enumerate(said)
        }
        return {"id": "c1", "title": "A talk", "create_time": 1_700_000_000, "mapping": mapping}

    exports = archive.folder / "quoth-exports" / "conversations.json"
    exports.parent.mkdir()
    exports.write_text(json.dumps([chat("first words", "an answer", SECRET, "noted", "That is the end of it")]))
    archive.sync()
    purge(archive, found(archive, "That is the end of it"))  # the last one, by which an export knows its talks
    purge(archive, found(archive, "Zanzibar"))
    assert left(archive, SECRET) == []
    assert archive.spoken() == ["first words", "an answer", "noted"]
    sizes = streams(archive)
    archive.sync()
    assert streams(archive) == sizes
    exports.write_text(
        json.dumps([chat("first words", "an answer", SECRET, "noted", "That is the end of it", "one more")])
    )
    archive.sync()
    assert left(archive, SECRET) == []
    assert archive.spoken() == ["first words", "an answer", "noted", "one more"]
    shared = found(archive, "noted")
    assert all("noted" in item["raw"] for item in archive.ask(lambda kernel: kernel.sources.run(shared, limit=None)))
    archive.rebuild()
    assert archive.spoken() == ["first words", "an answer", "noted", "one more"]


@pytest.mark.req("INV-5")
def test_of_a_conversation_that_is_one_string_only_the_message_goes(archive: Archive) -> None:
    file = archive.folder / "quoth-exports" / "talk.md"
    file.parent.mkdir()
    talk_of_four = f"# User\n\nfirst of all\n\n# Assistant\n\nan answer\n\n# User\n\n{SECRET}\n\n# Assistant\n\nnoted\n"
    file.write_text(talk_of_four)
    archive.sync()
    assert len(archive.spoken()) == 4
    assert purge(archive, found(archive, "Zanzibar")).events_along == ()
    assert left(archive, SECRET) == []
    assert archive.spoken() == ["first of all", "an answer", "noted"]
    file.write_text(f"{talk_of_four}\n# User\n\none more\n")
    archive.sync()
    assert left(archive, SECRET) == []
    assert archive.spoken() == ["first of all", "an answer", "noted", "one more"]


@pytest.mark.req("INV-5")
def test_a_word_alone_that_can_not_be_told_apart_takes_its_line_along(archive: Archive) -> None:
    file = archive.folder / "quoth-exports" / "talk.md"
    file.parent.mkdir()
    file.write_text("# User\n\nfirst of all\n\n# Assistant\n\nquillwo1\n")
    archive.sync()
    done = purge(archive, found(archive, "quillwo1"))
    assert len(done.events_along) == 1
    assert left(archive, "quillwo1") == []
    assert archive.spoken() == []


@pytest.mark.req("INV-5")
def test_a_plan_changes_nothing_and_says_who_else_says_it(archive: Archive) -> None:
    talk(archive, archive.record(f"You said: {SECRET}.", n=40))
    event = found(archive, "the vault opens")
    before = archive.answers()
    foretold = plan(archive, event)
    assert foretold.also_said == 1
    assert archive.answers() == before
    assert foretold.shape() == purge(archive, event).shape()
    assert len(archive.search("Zanzibar")) == 1
    assert plan(archive, words=SECRET).shape()["lines"] == 1


@pytest.mark.req("INV-5")
def test_what_names_nothing_or_everything_is_refused(archive: Archive) -> None:
    talk(archive)
    with pytest.raises(UnknownId):
        purge(archive, "claude-code:nobody")
    with pytest.raises(InvalidArgument):
        purge(archive)
    with pytest.raises(InvalidArgument):
        purge(archive, words=" a ")
    assert purge(archive, words="nobody ever said that").is_empty


@pytest.mark.req("INV-5")
def test_indexes_of_other_schemas_go(archive: Archive) -> None:
    talk(archive)
    (archive.home / "index-1.db").write_bytes(SECRET.encode())
    (archive.home / "index-1.db-wal").write_bytes(SECRET.encode())
    purge(archive, found(archive, "Zanzibar"))
    assert left(archive, SECRET) == []
    assert not (archive.home / "index-1.db").exists()


@pytest.mark.req("INV-5", "QUO-13")
def test_a_restored_backup_knows_what_was_purged(archive: Archive, tmp_path: Path) -> None:
    log = talk(archive)
    purge(archive, found(archive, "Zanzibar"))
    archive.ask(lambda kernel: kernel.backup.run(tmp_path / "backup"))
    second = Archive(tmp_path, "second")
    second.ask(lambda kernel: kernel.restore.run(tmp_path / "backup"))
    log.write_bytes(archive.record("a new beginning", n=50) + log.read_bytes())
    second.sync()
    assert left(second, SECRET) == []
    assert len(second.spoken()) == len(TALK)


@pytest.mark.req("INV-5")
def test_what_begins_alike_and_what_is_like_a_part_of_it_stays(archive: Archive) -> None:
    whole = f"Please look at the cash desk.\n\n{SECRET}\n\nThen tell me what is wrong."
    others = ["Please look at the cash desk.", "Then tell me what is wrong.", "Please look at the cash"]
    archive.log().write_bytes(b"".join(archive.records([whole, others[0], others[1], others[2]])))
    archive.sync()
    done = purge(archive, found(archive, "Zanzibar"))
    assert (done.events_along, archive.spoken()) == ((), others)


@pytest.mark.req("INV-5")
def test_a_forgotten_event_can_be_purged(archive: Archive) -> None:
    talk(archive)
    event = found(archive, "Zanzibar")
    archive.ask(lambda kernel: kernel.forget.run(event, "It is nobody's business", by=PERSON))
    assert purge(archive, event).operations
    assert left(archive, SECRET) == []
    assert fate(archive, event) is Fate.DESTROYED
    (tombstone,) = archive.ask(lambda kernel: kernel.forget.tombstones())
    assert tombstone["reason"] is None
    assert purge(archive, event).is_empty


@pytest.mark.req("INV-5")
def test_a_memory_file_of_an_agent_is_purged_and_stays_away(archive: Archive) -> None:
    talk(archive)
    file = archive.claude / "projects" / "-work-bakery" / "memory" / "vault.md"
    file.parent.mkdir(parents=True)
    file.write_text(f"---\nname: vault\ndescription: How to open\n---\n\nRemember that {SECRET}.\n")
    archive.sync()
    asked = [row for row in archive.ask(lambda kernel: list(kernel.memory.entries.all())) if row.version.statement]
    entries = [
        row.id for row in asked if "Remember that" in (row.version.statement.text if row.version.statement else "")
    ]
    assert len(entries) == 1
    purge(archive, *entries)
    assert left(archive, "Remember that the vault") == []
    file.write_text(file.read_text() + "\nAnd bread is good.\n")
    archive.sync()
    archive.rebuild()
    assert left(archive, "Remember that the vault") == []
