"""A block of ours that a log repeats is not what anybody said, whichever agent wrote the log (INV-8, OV-24)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import codex_logs
from packing.making import Found, entry, turn
from quoth.core.block import block
from quoth.core.briefing import Item, Section, laid_out
from quoth.core.fence import without_blocks
from services.archive import Archive

RECALLED = block([Found(entry(1, "The zeppelin is grey.")), Found(turn(2, "Paint the zeppelin."))], budget=2_000).text
BRIEF = laid_out([Section("# Decisions in force", [Item("- ent_1:", ["The zeppelin is grey."], 400)])], 2_000).text


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    archive = Archive(tmp_path)
    archive.project.mkdir(parents=True)
    return archive


def written(path: Path, *records: Any) -> None:
    path.write_bytes(
        b"".join(each if isinstance(each, bytes) else json.dumps(each).encode() + b"\n" for each in records)
    )


def claude(archive: Archive, *texts: str) -> None:
    written(archive.log(), *(archive.record(text, n=number) for number, text in enumerate(texts)))


def codex(archive: Archive, *texts: str) -> None:
    said = [(codex_logs.user_item(f"10:00:{n:02}.000", text), text) for n, text in enumerate(texts, 1)]
    events = [
        codex_logs.event(f"10:00:{n:02}.001", "user_message", message=text) for n, (_, text) in enumerate(said, 1)
    ]
    written(
        archive.rollout(codex_logs.THREAD),
        codex_logs.meta(),
        *(each for pair in zip((i for i, _ in said), events, strict=True) for each in pair),
    )


@pytest.mark.req("INV-8", "ARC-9")
@pytest.mark.parametrize("write", [claude, codex])
@pytest.mark.parametrize("repeated", [RECALLED, BRIEF])
def test_a_block_in_a_message_is_not_what_the_person_said(write: Any, repeated: str, archive: Archive) -> None:
    write(archive, f"{repeated}\n\nWhat colour is it?", f"Before.\n{repeated}", repeated, "And the balloon?")
    archive.sync()
    assert archive.spoken() == ["What colour is it?", "Before.", "And the balloon?"]
    assert archive.search("zeppelin") == []
    assert [each["snippet"] for each in archive.search("colour")]
    before = archive.answers()
    archive.rebuild()
    assert archive.answers() == before


@pytest.mark.req("INV-8")
def test_a_block_in_what_a_tool_answered_is_traffic_of_ours(archive: Archive) -> None:
    result = [{"type": "tool_result", "tool_use_id": "t1", "content": RECALLED}]
    claude(archive, "Read it.")
    with archive.log().open("ab") as log:
        log.write(archive.record("", n=2, message={"role": "user", "content": result}))
    archive.sync()
    assert archive.search("zeppelin", include_tools=True) == []


@pytest.mark.req("INV-8")
@pytest.mark.parametrize(
    ("text", "rest"),
    [
        (f"a\n{RECALLED}\nb", "a\n\nb"),
        (f"a {RECALLED[:150]}", "a"),
        (f"{RECALLED[:-20]}\nMy own words.", "My own words."),
        (f"{RECALLED[:150]}\n\nMy own words.\n{BRIEF} And more.", "My own words.\n And more."),
        (json.dumps({"text": f"{RECALLED}"}), '{"text": ""}'),
        (f"{RECALLED}{BRIEF}", ""),
    ],
)
def test_whole_cut_off_and_escaped_blocks_are_taken_out(text: str, rest: str) -> None:
    assert without_blocks(text) == rest


@pytest.mark.req("INV-8")
@pytest.mark.parametrize(
    "text", ["The tag <quoth-recall> opens a block.", "<quoth-recall>\nmine\n</quoth-recall>", " <quoth-brief> "]
)
def test_who_writes_about_the_tags_is_left_alone(text: str) -> None:
    assert without_blocks(text) == text
