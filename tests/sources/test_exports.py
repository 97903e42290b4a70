"""Where exports are looked for, and what becomes of them: trees, blocks, texts, archives, and a newer export."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import feeding
from quoth.core.errors import ReadFailed
from quoth.core.model import Event, Fact, Found, Json, Kind, Line, Opened, Role, Skipped, Titled, Unread
from quoth.sources import _exports_files as files
from quoth.sources import _exports_parser as exports_parser
from quoth.sources.exports import ADAPTER
from running import Run

SAMPLES = feeding.DATA / "exports"
POSTAGE, POOL = "68d1f00d-0000-8000-9000-000000000001", "68d1f00d-0000-8000-9000-000000000002"
STOCK = "c0ffee00-0000-4000-8000-000000000100"

Said = list[tuple[Role, str]]


def facts(case: str) -> list[Fact]:
    return [fact for said in feeding.read("exports", SAMPLES / case / "home") for fact in said.facts]


def events(found: Iterable[Fact]) -> list[Event]:
    return [fact for fact in found if isinstance(fact, Event)]


def spoken(found: Iterable[Fact]) -> Said:
    return [(event.role, event.text) for event in events(found) if event.kind is Kind.MESSAGE and not event.own]


def written(folder: Path, name: str, content: str | bytes | list[Any]) -> Found:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(content) if isinstance(content, list) else content
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    (found,) = (found for found in feeding.found("exports", folder)[0] if found.path == path)
    return found


def read(file: Found, state: Json = None) -> tuple[list[Fact], Json]:
    """Read a file as ingestion does: its new rows, by a parser that knows `state`."""
    rows = list(ADAPTER.rows(file, state))
    parser = ADAPTER.parser(feeding.stream("exports", file), state)
    read = [fact for number, row in enumerate(rows, 1) for fact in parser.feed(Line(number, row))]
    return read, json.loads(json.dumps(parser.state()))


def chat(id_: str, *said: str) -> dict[str, Any]:
    """Return a conversation in ChatGPT's form, the person and the model in turn."""
    mapping: dict[str, Any] = {}
    for n, words in enumerate(said):
        message = {
            "id": f"{id_}-{n}",
            "author": {"role": ("user", "assistant")[n % 2]},
            "content": {"content_type": "text", "parts": [words]},
        }
        parent = f"{id_}-{n - 1}" if n else None
        mapping[f"{id_}-{n}"] = {"message": message, "parent": parent, "children": [f"{id_}-{n + 1}"]}
    return {"id": id_, "title": id_, "create_time": 1_700_000_000, "mapping": mapping}


# --- where ----------------------------------------------------------------------------------------------------------


def test_the_folder_is_the_one_that_the_person_names_or_one_in_sight() -> None:
    home = Path("/home/ada")
    assert ADAPTER.roots({}, home) == [home / "quoth-exports"]
    assert ADAPTER.roots({"QUOTH_EXPORTS": " "}, home) == [home / "quoth-exports"]
    named = os.pathsep.join(["/data/chats", "~/Downloads/chats", "", "~"])
    assert ADAPTER.roots({"QUOTH_EXPORTS": named}, home) == [Path("/data/chats"), home / "Downloads/chats", home]


@pytest.mark.req("ARC-8")
def test_config_names_the_folder_and_the_variable_wins(run: Run, person: Path) -> None:
    for name in ("mine", "other"):
        written(person / name, "conversations.json", [chat(f"of-{name}", f"said in {name}")])

    def sessions() -> list[str]:
        listed = run("timeline", "--since", "2020-01-01", "--json").json()["sessions"]
        return sorted(session["session"] for session in listed)

    run("config", "set", "exports", "~/mine")
    run("sync")
    assert sessions() == ["of-mine"]
    run("sync", env={"QUOTH_EXPORTS": str(person / "other")})
    assert sessions() == ["of-mine", "of-other"]


@pytest.mark.req("SEC-4")
def test_what_else_lies_in_an_export_is_never_opened() -> None:
    for case in ("everyday", "traps"):
        home = SAMPLES / case / "home"
        listed = {found.key.rpartition("/")[2] for found in feeding.found("exports", home)[0]}
        assert not listed & {"user.json", "users.json", "chat.html", "shared_conversations.json", "README.md"}
        assert "example.org" not in "".join(event.text for event in events(facts(case)) if "sea" not in event.text)


@pytest.mark.req("SEC-4")
def test_the_account_is_not_kept() -> None:
    rows = [row for case in ("everyday", "traps") for row in _all_rows(SAMPLES / case / "home")]
    assert not [row for row in rows if b"11111111-2222" in row or b"robin@" in row]


def _all_rows(home: Path) -> list[bytes]:
    return [row for file in feeding.found("exports", home)[0] for row in ADAPTER.rows(file, None)]


# --- ChatGPT --------------------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-3", "ARC-9")
def test_a_branch_that_was_left_was_said_and_stays_before_the_one_that_replaced_it() -> None:
    found = [event for event in events(facts("everyday")) if event.session == POSTAGE]
    assert spoken(found) == [
        (Role.USER, "How much is a 2 kg parcel to Norway?"),
        (Role.ASSISTANT, "About 18 euros with tracking."),
        (Role.USER, "How much is a 3 kg parcel to Norway?"),
        (Role.ASSISTANT, "About 23 euros, because 3 kg is the next bracket."),
    ]
    tools = [(event.kind, event.text) for event in found if event.kind in {Kind.TOOL_USE, Kind.TOOL_RESULT}]
    assert tools == [(Kind.TOOL_USE, "python\nrates = {2: 18, 3: 23}\nprint(rates[3])"), (Kind.TOOL_RESULT, "23\n")]
    assert {event.agent_version for event in found if event.role is Role.ASSISTANT} == {"chatgpt", "chatgpt gpt-5"}


@pytest.mark.req("ARC-9")
def test_instructions_memory_and_thoughts_are_no_speech() -> None:
    asides = [event.text for case in ("everyday", "traps") for event in events(facts(case)) if event.kind is Kind.META]
    for words in ("Answer in one sentence.", "1. [2023-05-02]. Likes tea.", "Weighing the options", "hidden words"):
        assert any(words in aside for aside in asides), words


@pytest.mark.req("ARC-9")
def test_what_was_spoken_into_a_microphone_is_what_the_person_said() -> None:
    found = [event for event in events(facts("everyday")) if event.session == POOL]
    assert (Role.USER, "А в воскресенье?") in spoken(found)
    marks = [event.text for event in found if event.id.endswith(":attachments")]
    assert marks == ["[image, 50 KB]\n[file schedule.jpg, 50 KB]", "[audio, 20 KB]"]


@pytest.mark.req("ARC-10")
def test_a_message_without_a_time_was_said_when_the_conversation_was_or_the_message_before_it() -> None:
    found = [event for event in events(facts("traps")) if event.session.endswith("000000000006")]
    assert {event.time for event in found} == {1_683_000_000_000}


@pytest.mark.req("ARC-9")
def test_our_own_tools_behind_a_connector_are_told_from_others() -> None:
    found = [event for event in events(facts("traps")) if "tool" in event.kind]
    own = [event.text for event in found if event.own]
    assert any("/Quoth/link_1/search" in words for words in own)
    assert {"what the person said about tea", "what was said of tea"} <= set(own)
    assert {"Monday: dentist", "Tea"} <= {event.text for event in found if not event.own}


# --- Claude ---------------------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-3", "ARC-9")
def test_blocks_of_a_claude_message_are_told_apart() -> None:
    found = [event for event in events(facts("everyday")) if event.session == STOCK]
    assert spoken(found) == [
        (Role.USER, "这张库存表里哪些商品快卖完了？"),
        (Role.ASSISTANT, "肥皂只剩两块，应该尽快补货。"),
        (Role.USER, "谢谢！"),
    ]
    assert [event.text for event in found if event.kind is Kind.TOOL_RESULT] == ["[soap, 2]"]
    assert "[file stock.csv]\nitem,left\nsoap,2\ntea,40\n" in [event.text for event in found]


@pytest.mark.req("ARC-6")
def test_an_older_export_that_holds_only_texts_gives_the_same_ids_as_a_newer_one() -> None:
    understood = [event.id for event in events(facts("traps")) if event.text == "Understood."]
    assert len(understood) == 2
    assert len(set(understood)) == 1


# --- texts ----------------------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-9")
def test_the_terminal_of_an_export_gives_speech_calls_and_results() -> None:
    found = [event for event in events(facts("everyday")) if event.cwd == "/home/dev/demo-app"]
    assert [words for role, words in spoken(found) if role is Role.USER] == [
        "Why does the retry flag do nothing? It is set in\nconfig.toml.",
        "Rename it, please.",
    ]
    assert [event.text for event in found if event.kind is Kind.TOOL_USE] == [
        "Read(src/config.py)",
        'Bash(rg -n "retry" src)',
        "Update(config.toml)",
    ]


@pytest.mark.parametrize(
    "layout",
    [
        "# User\n\n{0}\n\n## Assistant\n\n{1}\n",
        "# Export of a chat\n\n### 🧑 Human\n{0}\n\n---\n\n### 🤖 ChatGPT (gpt-5)\n{1}\n",
        "## Prompt:\n{0}\n\n## Response:\n{1}\n",
        "**User:** {0}\n\n**Assistant:** {1}\n",
        "_**User**_\n\n{0}\n\n---\n\n_**Cursor**_\n\n{1}\n\n---\n",
        "**You:**\n{0}\n\n**Claude Sonnet 4.5:**\n{1}\n",
        "You said:\n{0}\n\nChatGPT said:\n{1}\n",
        "#### You said:\n{0}\n\n#### Gemini said:\n{1}\n",
        "User: {0}\n\nGitHub Copilot: {1}\n",
        "Human: {0}\n\nAssistant: {1}",
        "**用户：**\n{0}\n\n**助手：**\n{1}\n",
        "## Пользователь\n{0}\n\n## Ассистент\n{1}\n",
        "> {0}\n\n⏺ {1}\n",
        "❯ {0}\n\n● {1}\n",
    ],
)
def test_usual_layouts_tell_who_speaks(tmp_path: Path, layout: str) -> None:
    file = written(tmp_path, "chat.md", layout.format("Is tea a soup?", "No, it is **an infusion**."))
    assert spoken(read(file)[0]) == [(Role.USER, "Is tea a soup?"), (Role.ASSISTANT, "No, it is **an infusion**.")]


@pytest.mark.parametrize(
    "text",
    [
        "# Users\n\nAll of them.\n\n# Models\n\nNone.\n",
        "# User guide\n\nRead it.\n\n## Assistant manager\n\nAsk her.\n",
        "Notes\n\nUser: is a word\nAssistant: is one, too\n",
        "# User\n\nOnly one speaks.\n",
        "> a quotation\n\nand its source\n",
        "**User** rights and **AI** wrongs\n",
    ],
)
@pytest.mark.req("ARC-8")
def test_a_text_that_is_no_conversation_gives_no_speech_and_is_counted(tmp_path: Path, text: str) -> None:
    assert read(written(tmp_path, "notes.md", text))[0] == [Unread(1, "unknown", "text without speakers")]


def test_a_text_keeps_its_ids_when_it_is_renamed_or_grows(tmp_path: Path) -> None:
    whole = "# User\n\nfirst\n\n# Assistant\n\nsecond\n"
    before = events(read(written(tmp_path, "a.md", whole))[0])
    after = events(read(written(tmp_path, "deep/b.md", f"{whole}\n# User\n\nthird\n"))[0])
    assert [event.id for event in after[:2]] == [event.id for event in before]
    assert {event.session for event in after} == {event.session for event in before}


def test_the_head_of_a_text_gives_title_and_day() -> None:
    titles = {fact.title for fact in facts("everyday") if isinstance(fact, Titled)}
    assert {"Price rounding", "Marinade for tofu"} <= titles
    (asked,) = (event for event in events(facts("everyday")) if event.text == "Без имбиря можно?")
    assert asked.time == 1_768_932_300_000


# --- files ----------------------------------------------------------------------------------------------------------


@pytest.mark.req("ARC-2", "ARC-6")
def test_of_a_newer_export_in_the_same_place_only_what_changed_is_read(tmp_path: Path) -> None:
    first = written(tmp_path, "conversations.json", [chat("a", "one"), chat("b", "two")])
    found, state = read(first)
    assert [words for _, words in spoken(found)] == ["one", "two"]
    assert list(ADAPTER.rows(first, state)) == []
    found, state = read(
        written(tmp_path, "conversations.json", [chat("c", "four"), chat("b", "two", "three"), chat("a", "one")]), state
    )
    assert [words for _, words in spoken(found)] == ["four", "two", "three"]


@pytest.mark.req("ARC-2")
def test_a_pass_that_stopped_inside_a_conversation_reads_it_again(tmp_path: Path) -> None:
    file = written(tmp_path, "conversations.json", [chat("a", "one", "two"), chat("b", "three", "four")])
    rows = list(ADAPTER.rows(file, None))
    for stop in range(len(rows) + 1):
        parser = ADAPTER.parser(feeding.stream("exports", file))
        before = [fact for n, row in enumerate(rows[:stop], 1) for fact in parser.feed(Line(n, row))]
        after, _ = read(file, json.loads(json.dumps(parser.state())))
        assert {words for _, words in spoken([*before, *after])} == {"one", "two", "three", "four"}


@pytest.mark.req("ARC-1")
def test_a_state_stays_small_however_many_conversations_there_are(tmp_path: Path) -> None:
    file = written(tmp_path, "conversations.json", [chat(f"c{n}", "hello") for n in range(4_500)])
    found, state = read(file)
    assert len(spoken(found)) == 4_500
    assert len(json.dumps(state)) < 81_920
    assert list(ADAPTER.rows(file, state)) == []


@pytest.mark.req("ARC-5")
def test_a_conversation_that_is_too_large_is_told_and_the_others_are_read(tmp_path: Path) -> None:
    file = written(tmp_path, "conversations.json", [chat("a", "one"), chat("big", "x" * (3 << 20)), chat("b", "two")])
    parser = ADAPTER.parser(feeding.stream("exports", file))
    rows = files.changed_rows(file, (), largest=2 << 20)
    found = [fact for number, row in enumerate(rows, 1) for fact in parser.feed(Line(number, row))]
    assert [words for _, words in spoken(found)] == ["one", "two"]
    assert [fact.label for fact in found if isinstance(fact, Unread)] == ["conversation of 3 MB"]
    assert list(files.changed_rows(file, exports_parser.completed(parser.state()), largest=2 << 20)) == []


@pytest.mark.req("ARC-4")
def test_a_text_that_is_too_large_is_skipped_with_the_reason(tmp_path: Path) -> None:
    with (tmp_path / "huge.md").open("wb") as file:
        file.truncate((16 << 20) + 1)
    assert feeding.found("exports", tmp_path) == ([], [Skipped(str(tmp_path / "huge.md"), "too_large")])


@pytest.mark.req("ARC-4")
@pytest.mark.parametrize(
    ("content", "reason"), [(b"no archive", "damaged"), (b"PK\x03\x04 and then nothing", "damaged")]
)
def test_an_archive_that_is_none_is_reported(tmp_path: Path, content: bytes, reason: str) -> None:
    file = written(tmp_path, "export.zip", content)
    with pytest.raises(ReadFailed) as failed:
        list(ADAPTER.rows(file, None))
    assert failed.value.reason == reason


@pytest.mark.req("ARC-3")
def test_an_archive_gives_what_its_file_gives(tmp_path: Path) -> None:
    content = json.dumps([chat("a", "one", "two")])
    with zipfile.ZipFile(tmp_path / "export.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("2026/conversations.json", content)
        archive.writestr("user.json", '{"email": "robin@example.org"}')
    plain = written(tmp_path, "conversations.json", content)
    (packed,) = (found for found in feeding.found("exports", tmp_path)[0] if found.key == "export.zip")
    assert list(ADAPTER.rows(packed, None)) == list(ADAPTER.rows(plain, None))


@pytest.mark.req("ARC-6")
def test_conversations_in_several_exports_count_once_and_are_found(run: Run, person: Path) -> None:
    folder = person / "quoth-exports"
    written(folder, "old/conversations.json", [chat("a", "Where is the lighthouse?")])
    written(folder, "new/conversations-000.json", [chat("a", "Where is the lighthouse?", "On the cape.")])
    run("sync")
    (hit,) = run("search", "lighthouse", "--json").json()["events"]
    assert hit["id"] == "exports:chatgpt:a-0"
    places = run("sources", hit["id"], "--json").json()
    assert len(places) == 2
    for place in places:
        assert json.loads(place["raw"])["node"]["message"]["content"]["parts"] == ["Where is the lighthouse?"]


@given(st.recursive(st.none() | st.text(max_size=5), lambda i: st.dictionaries(st.text(max_size=3), i, max_size=4)))
def test_no_tree_stops_a_file_or_loses_a_message(mapping: Any) -> None:
    nodes = mapping if isinstance(mapping, dict) else {}
    yielded = list(files._in_order(nodes))
    assert sorted(map(repr, yielded)) == sorted(map(repr, nodes.values()))


def test_a_session_is_opened_before_its_events() -> None:
    opened: set[str] = set()
    for fact in facts("everyday"):
        if isinstance(fact, Opened):
            opened.add(fact.session)
        elif isinstance(fact, Event):
            assert fact.session in opened
