"""A statement is stored with what it cites, without secrets, once; nothing is stored when anything is wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest

from quoth.core.errors import NotStored, QuoteNotFound, QuothError, StoreFailed, UnknownProject, UnknownType
from quoth.core.speaker import Speaker
from services.archive import Archive
from services.entries import (
    CODEX,
    PERSON,
    UNCITED,
    correct,
    entry,
    found,
    get,
    history,
    quoted,
    remember,
)

LINES = ("Which port does the shop use?", "The shop listens on port 8737.", "好的，端口是 8737。")
SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
SERVICES = ("order", "mail", "stock", "cake", "user", "pay", "tax", "log")
EIGHT = [f"The {name} service listens on port 87{number}0." for number, name in enumerate(SERVICES)]


@pytest.fixture
def empty(tmp_path: Path) -> Archive:
    """Return a home that has read nothing."""
    made = Archive(tmp_path)
    made.env["USER"] = "ada"
    return made


@pytest.fixture
def archive(empty: Archive) -> Archive:
    """Return a home that has read a session."""
    empty.log().write_bytes(b"".join(empty.records(LINES)))
    empty.sync()
    return empty


def _operations(archive: Archive) -> int:
    return archive.ask(lambda kernel: sum(number for _, number in kernel.ledger.series()))


def _device(archive: Archive) -> str:
    return str(archive.ask(lambda kernel: kernel.journal.device()[1]))


def _event(archive: Archive, text: str) -> str:
    return next(str(event["id"]) for event in archive.events() if event["text"] == text)


# --- what is stored ---


@pytest.mark.req("ORI-21", "ORI-22", "ORI-23", "ORI-25", "ORI-26", "ORI-52", "QUO-5")
def test_a_statement_is_answered_as_every_reader_will_find_it(archive: Archive) -> None:
    answer = remember(archive, "  The shop listens on port 8737.  ", sources=quoted(quote="listens on port 8737"))
    said = answer["entry"]
    assert list(said) == [
        *("id", "kind", "text", "confidence", "status", "concurrent", "project", "author", "created", "valid_from"),
        *("valid_to", "supersedes", "superseded_by", "root", "imported", "name", "type", "scope", "state"),
    ]
    assert said | {"id": "", "root": "", "created": "", "scope": {}} == {
        "id": "",
        "kind": "knowledge",
        "text": "The shop listens on port 8737.",
        "confidence": 0.8,
        "status": "active",
        "concurrent": False,
        "project": "bakery",
        "author": f"codex@{_device(archive)}",
        "created": "",
        "valid_from": None,
        "valid_to": None,
        "supersedes": None,
        "superseded_by": None,
        "root": "",
        "imported": False,
        "name": None,
        "type": "fact",
        "scope": {},
        "state": "current",
    }
    assert said["root"] == said["id"]
    assert (answer["verdict"], answer["similar"], answer["redacted"]) == ("ADD", [], 0)
    assert said == {name: get(archive, said["id"])["entry"][name] for name in said}


@pytest.mark.req("ORI-25")
@pytest.mark.parametrize(
    ("by", "author", "attribution"),
    [
        (CODEX, "codex@", "agent"),
        (PERSON, "user@", "user"),
        (Speaker("codex", "user"), "codex@", "user"),
        (Speaker("codex", "agent"), "codex@", "agent"),
        (Speaker("codex", "the review board"), "codex@", "other"),
    ],
)
def test_who_wrote_it_and_whose_statement_it_is_are_kept(
    empty: Archive, by: Speaker, author: str, attribution: str
) -> None:
    said = get(empty, entry(empty, "Deploys happen on Mondays.", by=by))["entry"]
    assert said["author"] == author + _device(empty)
    assert said["attribution"] == attribution


@pytest.mark.req("QUO-5", "QUO-4")
def test_everything_that_was_said_of_it_is_kept(archive: Archive) -> None:
    given: dict[str, Any] = {
        "kind": "cognition",
        "type": "rule",
        "name": "Пятница",
        "confidence": 1,
        "importance": 0.9,
        "tags": ["deploy", " deploy ", "周五"],
        "fields": {"role": "developer", "triggers": ["deploy"], "variants": {"light": "Rather not."}},
        "valid_from": "2020-01-01",
        "valid_to": "2999-01-01T00:00:00+00:00",
        "event_time": "2026-10-19",
    }
    said = get(archive, entry(archive, "Never deploy on Fridays.", **given))["entry"]
    kept = ("kind", "type", "name", "confidence", "importance", "tags", "fields", "uncited", "epistemic", "polarity")
    assert {name: said[name] for name in kept} == {
        **{name: given[name] for name in ("kind", "type", "name", "confidence", "importance", "fields")},
        "tags": ["deploy", "周五"],
        "uncited": UNCITED,
        "epistemic": "necessary",
        "polarity": "negative",
    }
    assert said["valid_from"].startswith("2020-01-01T00:00:00.000")
    assert said["event_time"].startswith("2026-10-19T00:00:00.000")


@pytest.mark.req("QUO-5")
@pytest.mark.parametrize(
    ("given", "kind", "type_"),
    [
        ({"kind": "memory"}, "memory", "note"),
        ({"kind": "knowledge"}, "knowledge", "fact"),
        ({"kind": "cognition"}, "cognition", "preference"),
        ({"type": "skill"}, "cognition", "skill"),
        ({"kind": "memory", "type": "case"}, "memory", "case"),
    ],
)
def test_a_type_decides_the_kind_and_a_kind_the_plainest_type(
    empty: Archive, given: dict[str, str], kind: str, type_: str
) -> None:
    said = remember(empty, "Ask twice.", **given)["entry"]
    assert (said["kind"], said["type"]) == (kind, type_)


@pytest.mark.req("OV-2")
def test_a_type_of_the_home_can_be_used_at_once(archive: Archive) -> None:
    (archive.home / "types").mkdir()
    (archive.home / "types/incident.yaml").write_text("kind: memory\ndescription: An outage.\nplace: workspace\n")
    assert remember(archive, "The shop was down for an hour.", type="incident")["entry"]["type"] == "incident"


@pytest.mark.req("QUO-5")
def test_an_entry_applies_where_it_is_asked_to(archive: Archive) -> None:
    here = remember(archive, "One.")["entry"]["scope"]
    assert (here["tenant"], here["repository"][:4], here["branch"]) == ("ada", "dir:", "")
    everywhere = {"tenant": "ada", "workspace": "", "repository": "", "branch": ""}
    assert remember(archive, "Two.", scope="tenant")["entry"]["scope"] == everywhere
    assert remember(archive, "Three.", type="preference", scope=None)["entry"]["scope"] == everywhere
    named = remember(archive, "Four.", project="bakery", cwd="/")["entry"]
    assert (named["scope"], named["project"]) == (here, "bakery")
    assert remember(archive, "Five.", cwd="/")["entry"]["project"] is None


@pytest.mark.req("ENG-31", "INV-10")
@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("数据库使用端口 5432，不要改。", "端口"),
        ("記憶存在本機。", "记忆"),
        ("Ещё один сервер стоит в подвале.", "еще"),
        ("注文の締め切りは前日の正午です。", "締め"),
        ("getUserName возвращает 用户名", "用户"),
    ],
)
def test_memories_of_any_language_are_found_and_come_back_as_they_were(empty: Archive, text: str, query: str) -> None:
    assert remember(empty, text)["entry"]["text"] == text
    assert found(empty, query) == [text]


# --- what it cites ---


@pytest.mark.req("ORI-48", "ORI-43")
def test_what_it_cites_is_shown_with_the_words(archive: Archive) -> None:
    event = _event(archive, LINES[1])
    cited = get(archive, entry(archive, "Port 8737.", sources=quoted(event, "PORT   8737")))["sources"]
    assert [(each["id"], each["quote"], each["text"]) for each in cited] == [(event, "port 8737", LINES[1])]


@pytest.mark.req("ORI-51", "ORI-65")
def test_words_that_were_written_just_now_can_be_cited(archive: Archive) -> None:
    with archive.log().open("ab") as log:
        log.write(archive.record("The oven needs ten minutes.", n=9))
    cited = get(archive, entry(archive, "Oven: ten minutes.", sources=quoted(quote="needs ten minutes")))["sources"]
    assert [each["text"] for each in cited] == ["The oven needs ten minutes."]


@pytest.mark.req("ORI-52", "ORI-49", "ORI-50")
def test_nothing_is_stored_when_one_source_fails(archive: Archive) -> None:
    sources = [*quoted(quote="listens on port 8737"), *quoted(quote="nobody said this")]
    with pytest.raises(QuoteNotFound):
        remember(archive, "The shop listens on port 8737.", sources=sources)
    assert _operations(archive) == 0
    assert found(archive) == []


@pytest.mark.req("QUO-5")
def test_what_cites_nothing_must_say_why(archive: Archive) -> None:
    with pytest.raises(QuothError, match=r"^`sources` must be said: .* `uncited` why nothing is cited\.$"):
        remember(archive, "Port 8737.", uncited=None)
    with pytest.raises(QuothError, match="`uncited` must be left out when `sources` are given"):
        remember(archive, "Port 8737.", sources=quoted(quote="port 8737"), uncited="because")


# --- duplicates ---


@pytest.mark.req("QUO-5", "HMG-7")
@pytest.mark.parametrize("again", ["Café opens at 7.", "  Café opens at 7.\n", "Cafe\u0301 opens at 7."])
def test_what_is_said_already_is_answered(empty: Archive, again: str) -> None:
    first = remember(empty, "Café opens at 7.")
    second = remember(empty, again, type="fact", confidence=0.1)
    assert (second["verdict"], second["entry"]) == ("NOOP", first["entry"])
    assert _operations(empty) == 1


def test_the_same_words_elsewhere_are_another_entry(archive: Archive) -> None:
    assert {remember(archive, "Port 1.", scope=level)["verdict"] for level in ("repository", "tenant")} == {"ADD"}


def test_words_that_are_not_in_force_any_more_can_be_said_again(archive: Archive) -> None:
    ended = entry(archive, "Closed on Monday.", valid_to="1d")
    corrected = entry(archive, "Closed on Tuesday.")
    correct(archive, corrected, "Closed on Thursday.")
    for old, text in ((ended, "Monday"), (corrected, "Tuesday")):
        again = remember(archive, f"Closed on {text}.")
        assert (again["verdict"], again["entry"]["id"] == old) == ("ADD", False)


@pytest.mark.req("ORI-52")
def test_a_duplicate_can_add_what_it_cites(archive: Archive) -> None:
    ask, tell = (_event(archive, text) for text in LINES[:2])
    first = entry(archive, "Port 8737.", sources=quoted(tell, "port 8737"))
    again = [*quoted(tell, "port 8737"), *quoted(tell), *quoted(ask), *quoted(tell, "the shop")]
    assert remember(archive, "Port 8737.", sources=again)["verdict"] == "NOOP"
    assert len(get(archive, first)["sources"]) == 1
    for _ in range(2):
        assert remember(archive, "Port 8737.", sources=again, adds_citations=True)["entry"]["id"] == first
    cited = [(each["id"], each["quote"]) for each in get(archive, first)["sources"]]
    assert cited == [(tell, "port 8737"), (ask, None), (tell, "The shop")]
    assert _operations(archive) == 2


@pytest.mark.req("ENG-29")
def test_eight_facts_of_similar_wording_stay_eight(archive: Archive) -> None:
    answers = [remember(archive, text) for text in EIGHT]
    assert {answer["verdict"] for answer in answers} == {"ADD"}
    assert sorted(found(archive)) == sorted(EIGHT)
    assert 1 <= len(answers[-1]["similar"]) <= 5


@pytest.mark.req("QUO-5")
def test_what_says_nearly_the_same_is_shown_the_nearest_first(archive: Archive) -> None:
    for text in ("The shop opens at seven.", "The shop opens at seven on Mondays.", "Bread is baked at night."):
        remember(archive, text)
    remember(archive, "The shop opens at seven on Mondays!", scope="tenant")
    similar = remember(archive, "The shop opens at seven on Monday.")["similar"]
    assert [each["text"] for each in similar][-1] == "The shop opens at seven."
    assert {each["text"] for each in similar} == {
        "The shop opens at seven on Mondays.",
        "The shop opens at seven on Mondays!",
        "The shop opens at seven.",
    }
    assert [each["text"] for each in remember(archive, "商店早上七点开门营业")["similar"]] == []
    assert [each["text"] for each in remember(archive, "商店早上七点开门")["similar"]] == ["商店早上七点开门营业"]


def test_what_ended_or_was_replaced_is_not_shown_as_similar(archive: Archive) -> None:
    entry(archive, "The shop opens at seven on Mondays.", valid_to="1d")
    old = entry(archive, "The shop opens at seven on Fridays.")
    correct(archive, old, "Bread is baked at night.")
    assert remember(archive, "The shop opens at seven on Sundays.")["similar"] == []


@pytest.mark.req("QUO-5")
def test_a_name_is_taken_once_for_a_scope_and_type(archive: Archive) -> None:
    first = entry(archive, "Port 8737.", name="port", type="decision")
    with pytest.raises(QuothError, match=f"`name` must be another one: {first} has it; correct that entry instead"):
        remember(archive, "Port 9000.", name=" port ", type="decision")
    assert remember(archive, "Port 9000.", name="port", type="fact")["entry"]["name"] == "port"
    assert remember(archive, "Port 9000.", name="port", type="constraint")["entry"]["name"] == "port"
    assert remember(archive, "Port 9000.", name="port", type="decision", scope="tenant")["entry"]["name"] == "port"


# --- what does not read back ---


def _tampered(archive: Archive, action: str) -> None:
    (index,) = archive.home.glob("index-*.db")
    with closing(apsw.Connection(str(index))) as database:
        database.execute(f"CREATE TRIGGER tampering AFTER INSERT ON entries BEGIN {action}; END")


@pytest.mark.req("INV-6")
@pytest.mark.parametrize(
    "action",
    [
        "DELETE FROM entries WHERE number = NEW.number",
        "UPDATE entries SET data = replace(data, '9000', '9001') WHERE number = NEW.number",
    ],
)
def test_what_does_not_read_back_is_an_error(archive: Archive, action: str) -> None:
    old = entry(archive, "The port is 8737.")
    _tampered(archive, action)
    with pytest.raises(NotStored, match=r"was written and does not read back\. Run `quoth doctor`\.$"):
        remember(archive, "The port of the oven is 9000.")
    with pytest.raises((NotStored, StoreFailed)):
        correct(archive, old, "The port is 9000.")


# --- together ---


@pytest.mark.req("ENG-30", "INV-2")
def test_eight_threads_that_say_the_same_store_it_once(archive: Archive) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: remember(archive, "Port 8737."), range(8)))
    assert sorted(answer["verdict"] for answer in answers) == ["ADD", *["NOOP"] * 7]
    assert len({answer["entry"]["id"] for answer in answers}) == 1
    assert _operations(archive) == 1


_PROCESS = """
import json, os, sys
from quoth.core.speaker import Speaker
from quoth.wiring import Kernel
kernel = Kernel(json.loads(sys.argv[1]))
texts = json.loads(sys.argv[2])
answers = [kernel.remember.run(text, by=Speaker("codex"), uncited="a test", cwd=sys.argv[3]) for text in texts]
print(json.dumps([answer["verdict"] for answer in answers]))
"""


def _processes(archive: Archive, said: Sequence[Sequence[str]]) -> list[list[str]]:
    command = [sys.executable, "-c", _PROCESS, json.dumps(archive.env)]
    begun = [
        subprocess.Popen([*command, json.dumps(texts), str(archive.project)], stdout=subprocess.PIPE, text=True)
        for texts in said
    ]
    return [json.loads(process.communicate(timeout=120)[0]) for process in begun]


@pytest.mark.req("ENG-30", "INV-2")
def test_eight_processes_lose_nothing_and_say_the_same_once(archive: Archive) -> None:
    verdicts = _processes(archive, [["Port 8737.", f"Own {n}.", f"Other {n}."] for n in range(8)])
    assert sorted(own for each in verdicts for own in each) == ["ADD"] * 17 + ["NOOP"] * 7
    assert sorted(found(archive, limit=100)) == sorted(
        ["Port 8737.", *(f"{word} {n}." for word in ("Own", "Other") for n in range(8))]
    )


_ENDLESS = """
import json, sys
from itertools import count
from quoth.core.speaker import Speaker
from quoth.wiring import Kernel
kernel = Kernel(json.loads(sys.argv[1]))
for n in count():
    entry = kernel.remember.run(f"{sys.argv[2]} {n}.", by=Speaker("codex"), uncited="a test", cwd="/")["entry"]["id"]
    corrected = kernel.correct.run(entry, f"{sys.argv[2]} {n} is right.", by=Speaker("codex"))["entry"]["id"]
    print(corrected, flush=True)
"""


@pytest.mark.req("INV-2")
@pytest.mark.parametrize("lines", [1, 9])
def test_what_was_acknowledged_before_a_kill_is_there_once(archive: Archive, lines: int) -> None:
    command = [sys.executable, "-c", _ENDLESS, json.dumps(archive.env)]
    begun = [subprocess.Popen([*command, name], stdout=subprocess.PIPE, text=True) for name in ("One", "Two")]
    acknowledged = []
    for process in begun:
        assert process.stdout
        acknowledged += [process.stdout.readline().strip() for _ in range(lines)]
    for process in begun:
        process.kill()
        acknowledged += [line for line in process.communicate(timeout=60)[0].split("\n") if len(line) == 36]
    for each in acknowledged:
        assert [version["status"] for version in history(archive, each)["versions"]] == ["superseded", "active"]
    texts = found(archive, limit=100)
    assert len(set(texts)) == len(texts) >= min(len(acknowledged), 100)
    assert archive.ask(lambda kernel: list(kernel.ledger.verify())) == []


# --- secrets ---


@pytest.mark.req("HMG-6", "ENG-34")
def test_no_secret_reaches_the_store(archive: Archive) -> None:
    answer = remember(
        archive,
        f"Staging is at postgres://app:{SECRET}@db/shop.",
        name=f"key {SECRET}",
        tags=["db", SECRET],
        type="entity",
        fields={"category": SECRET, "properties": {"password": "correct-Horse-7battery", SECRET: 1}},
        uncited=f"I was told {SECRET}",
    )
    said = get(archive, answer["entry"]["id"])["entry"]
    assert said["text"].startswith("Staging is at postgres://")
    assert said["name"].startswith("key [REDACTED:")
    assert said["fields"]["properties"]["password"].startswith("[REDACTED:")
    assert answer["redacted"] == 7
    files = [path for path in archive.home.rglob("*") if path.is_file()]
    assert [
        path for path in files if SECRET.encode() in path.read_bytes() or b"correct-Horse" in path.read_bytes()
    ] == []


@pytest.mark.req("HMG-6", "HMG-10")
@pytest.mark.parametrize("text", [SECRET, f" {SECRET}\n", f"token={SECRET}", f"`{SECRET}`"])
def test_a_text_that_is_only_a_secret_is_refused_and_not_repeated(empty: Archive, text: str) -> None:
    with pytest.raises(QuothError) as caught:
        remember(empty, text)
    assert str(caught.value) == "`text` must be a statement; without the secret in it nothing is left of it."


@pytest.mark.req("HMG-7")
def test_texts_that_differ_only_in_the_secret_are_the_same(archive: Archive) -> None:
    texts = [f"The bot logs in with {SECRET}.", f"The bot logs in with {SECRET[:-1]}9."]
    assert [remember(archive, text)["verdict"] for text in texts] == ["ADD", "NOOP"]


@pytest.mark.req("ENG-34", "SEC-5")
def test_words_about_secrets_are_no_secrets(archive: Archive) -> None:
    text = "password: must be rotated; ask ada@example.org"
    answer = remember(archive, text)
    assert (answer["entry"]["text"], answer["redacted"]) == (text, 0)


# --- what can't be used ---


@pytest.mark.req("ORI-14", "ORI-72", "QUO-5")
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"text": ""}, "`text` must be a statement that says something."),
        ({"text": " \n\t\u3000"}, "`text` must be a statement that says something."),
        ({"text": "..."}, "`text` must be a statement that says something."),
        ({"text": None}, "`text` must be a text."),
        ({"text": 7}, "`text` must be a text."),
        ({"text": "x" * 8193}, "`text` must be at most 8192 bytes long; keep one statement in one entry."),
        ({"text": "字" * 2731}, "`text` must be at most 8192 bytes long; keep one statement in one entry."),
        ({"kind": "opinion"}, "`kind` must be one of memory, knowledge, cognition."),
        ({"kind": "memory", "type": "rule"}, "`kind` must be cognition for the type rule."),
        ({"confidence": 1.01}, "`confidence` must be a number from 0 to 1."),
        ({"confidence": -0.1}, "`confidence` must be a number from 0 to 1."),
        ({"confidence": float("nan")}, "`confidence` must be a number from 0 to 1."),
        ({"confidence": True}, "`confidence` must be a number from 0 to 1."),
        ({"confidence": "0.9"}, "`confidence` must be a number from 0 to 1."),
        ({"importance": "high"}, "`importance` must be a number from 0 to 1."),
        ({"valid_from": "tomorrow"}, "`valid_from` must be a time: <n>m|h|d|w back from now, YYYY-MM-DD, or ISO 8601."),
        ({"valid_to": 1760000000}, "`valid_to` must be a time as a text, such as 7d or 2026-10-19."),
        ({"event_time": ""}, "`event_time` must be a time: <n>m|h|d|w back from now, YYYY-MM-DD, or ISO 8601."),
        ({"valid_from": "1d", "valid_to": "2d"}, "`valid_from` must be no later than `valid_to`."),
        ({"name": "two\nlines"}, "`name` must be one line of at most 200 printable characters, without a secret."),
        ({"name": "n" * 201}, "`name` must be one line of at most 200 printable characters, without a secret."),
        ({"name": SECRET}, "`name` must be one line of at most 200 printable characters, without a secret."),
        ({"tags": "deploy"}, "`tags` must be a list of at most 50 texts."),
        ({"tags": ["t" * 101]}, "`tags` must be texts of one line and at most 100 printable characters."),
        ({"tags": [7]}, "`tags` must be a text."),
        ({"fields": ["role"]}, "`fields` must be an object."),
        ({"fields": {"role": "x"}}, "`fields` must be an object with fields of the type note: objective."),
        ({"fields": {"objective": float("inf")}}, "`fields.objective` must be plain JSON of at most 8 levels."),
        ({"fields": {"objective": {1: 2}}}, "`fields.objective` must be plain JSON of at most 8 levels."),
        ({"fields": {"objective": "x" * 20_000}}, "`fields` must be at most 16384 bytes as JSON."),
        ({"uncited": "w" * 2001}, "`uncited` must be at most 2000 characters long."),
        ({"scope": "planet"}, "`scope` must be one of branch, repository, workspace, tenant."),
        ({"sources": "event"}, "`sources` must be a list of at most 100 events and quotes."),
        ({"sources": [{"quote": "x"}]}, "`sources` must be a list of events and quotes."),
    ],
)
def test_what_can_t_be_used_is_told_and_stores_nothing(empty: Archive, given: dict[str, Any], said: str) -> None:
    arguments = {"text": "Port 8737.", **({"type": "note"} if "fields" in given else {}), **given}
    with pytest.raises(QuothError) as caught:
        remember(empty, arguments.pop("text"), **arguments)
    assert str(caught.value) == said
    assert _operations(empty) == 0


def test_what_is_unknown_is_told(archive: Archive) -> None:
    with pytest.raises(UnknownType):
        remember(archive, "Port 8737.", type="opinion")
    with pytest.raises(UnknownProject):
        remember(archive, "Port 8737.", project="elsewhere")


@pytest.mark.req("OV-22")
@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("half \ud83d of a pair", "half \ufffd of a pair"),
        ("zero\0byte", "zero\ufffdbyte"),
        ("line\u2028separator\u2029and\x85next", "line\u2028separator\u2029and\x85next"),
        ("x" * 8192, "x" * 8192),
        ("\x1b[31mred", "\x1b[31mred"),
    ],
)
def test_odd_characters_break_nothing(empty: Archive, given: str, stored: str) -> None:
    assert get(empty, entry(empty, given))["entry"]["text"] == stored


@pytest.mark.req("ORI-14", "ORI-26")
def test_a_relative_end_is_in_the_past_and_the_entry_is_born_ended(archive: Archive) -> None:
    ended = entry(archive, "The sale is on.", valid_to="2d")
    assert found(archive) == []
    assert get(archive, ended)["entry"]["status"] == "active"
    assert history(archive, ended)["versions"][0]["valid_to"] is not None


def test_a_text_that_is_given_instead_of_a_name_is_not_repeated_at_length(archive: Archive) -> None:
    for given in ({"type": "x" * 5_000}, {"project": "x" * 5_000}):
        with pytest.raises((UnknownType, UnknownProject)) as caught:
            remember(archive, "Bread is baked.", **given)
        assert len(str(caught.value)) < 600
