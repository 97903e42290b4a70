"""A correction is a new version; the old ones stay, forks are settled, and only the current one can be corrected."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from quoth.core.errors import Ambiguous, Forgotten, NotCurrent, QuoteNotFound, QuothError, Uncitable, UnknownId
from quoth.core.ids import EntryId, entry_id, ulid
from quoth.core.ledger.operations import Verdict, asserting
from quoth.core.ledger.values import Citation, EntryKind, Statement
from quoth.core.memory import Quoted
from quoth.services._citing import Citing
from quoth.wiring import Kernel
from services.archive import Archive
from services.entries import (
    PERSON,
    append,
    at,
    correct,
    entry,
    exchange,
    forget,
    found,
    get,
    history,
    judge,
    quoted,
    remember,
    search,
)

LINES = ("Which port?", "The shop listens on port 8737.", "Now it listens on port 9000.")
SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345"


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    made = Archive(tmp_path)
    made.log().write_bytes(b"".join(made.records(LINES)))
    made.sync()
    return made


@pytest.fixture
def port(archive: Archive) -> str:
    """Return an entry with one source and most of what can be said of it."""
    return entry(
        archive,
        "The port is 8737.",
        sources=quoted(quote="listens on port 8737"),
        type="rule",
        name="port",
        tags=["net"],
        fields={"triggers": ["port"], "origin": "the README", "role": "developer"},
        valid_from="2020-01-01",
        event_time="2026-10-19",
        confidence=0.5,
    )


def _corrected(archive: Archive, given: str, text: str | None = None, **said: Any) -> dict[str, Any]:
    """Correct an entry and return all that is kept of the new version."""
    whole: dict[str, Any] = get(archive, correct(archive, given, text, **said)["entry"]["id"])["entry"]
    return whole


# --- versions ---


@pytest.mark.req("ORI-27", "ORI-53", "ORI-54", "ORI-55", "QUO-6")
def test_a_correction_is_a_new_version_and_the_old_one_stays(archive: Archive, port: str) -> None:
    answer = correct(archive, port, "The port is 9000.", reason="it moved")
    new = answer["entry"]
    assert (answer["verdict"], answer["redacted"]) == ("SUPERSEDE", 0)
    assert (new["text"], new["supersedes"], new["root"], new["status"]) == ("The port is 9000.", port, port, "active")
    old = get(archive, port)["entry"]
    assert (old["status"], old["state"], old["superseded_by"], old["concurrent"]) == (
        *("superseded", "superseded"),
        *(new["id"], False),
    )
    assert new["created"] > old["created"]
    assert found(archive) == ["The port is 9000."]
    versions = history(archive, port)["versions"]
    assert [(each["id"], each["text"], each["reason"]) for each in versions] == [
        (port, "The port is 8737.", ""),
        (new["id"], "The port is 9000.", "it moved"),
    ]
    assert history(archive, new["id"])["root"] == port


@pytest.mark.req("ORI-27")
def test_every_old_version_names_the_current_one(archive: Archive, port: str) -> None:
    second = correct(archive, port, "The port is 1.")["entry"]["id"]
    third = correct(archive, second, "The port is 2.")["entry"]["id"]
    assert [get(archive, each)["entry"]["superseded_by"] for each in (port, second, third)] == [third, third, None]


@pytest.mark.req("ORI-54")
def test_only_the_current_version_can_be_corrected(archive: Archive, port: str) -> None:
    current = correct(archive, port, "The port is 1.")["entry"]["id"]
    with pytest.raises(NotCurrent) as caught:
        correct(archive, port, "The port is 2.")
    assert str(caught.value) == (
        f"Entry {port} was already corrected; its current version is {current}. Correct that one instead."
    )


@pytest.mark.req("ORI-55")
def test_a_correction_is_later_even_when_the_clock_went_back(archive: Archive, port: str) -> None:
    kernel = at(archive, 1_000)
    new = kernel.correct.run(port, "The port is 1.", by=PERSON)["entry"]
    kernel.close()
    assert isinstance(new, dict)
    assert str(new["created"]) > get(archive, port)["entry"]["created"]


@pytest.mark.req("ORI-27", "ENG-30")
def test_of_eight_corrections_at_once_one_wins_and_the_others_are_told(archive: Archive, port: str) -> None:
    def attempt(number: int) -> str:
        try:
            return str(correct(archive, port, f"The port is {number}.")["entry"]["text"])
        except NotCurrent:
            return ""

    with ThreadPoolExecutor(8) as pool:
        said = [text for text in pool.map(attempt, range(8)) if text]
    assert found(archive) == said
    assert len(history(archive, port)["versions"]) == 2


# --- which entry is meant ---


def _spellings(given: str) -> Iterator[str]:
    yield from (given, given.upper(), given.removeprefix("ent_"), f" {given} ", given[-8:], f"ent_{given[-12:]}")
    yield from (ulid(EntryId(given)), ulid(EntryId(given)).lower())


@pytest.mark.req("QUO-6", "ORI-15")
def test_every_spelling_of_an_id_will_do(archive: Archive, port: str) -> None:
    current = port
    for number, _ in enumerate(list(_spellings(port))):
        spelled = list(_spellings(current))[number]
        assert get(archive, spelled)["entry"]["id"] == current
        current = correct(archive, spelled, f"The port is {number}.")["entry"]["id"]
    assert len(history(archive, port)["versions"]) == 9


@pytest.mark.req("ORI-16")
def test_an_unknown_or_forgotten_entry_is_told(archive: Archive, port: str) -> None:
    with pytest.raises(UnknownId, match=r"^Unknown entry or event ent_0123456789ab\.$"):
        correct(archive, "ent_0123456789ab", "x")
    forget(archive, port)
    with pytest.raises(Forgotten, match=f"^{port} has been forgotten\\.$"):
        correct(archive, port, "x")


@pytest.mark.parametrize("verdict", [Verdict.QUARANTINE, Verdict.SEAL])
def test_an_entry_that_is_held_back_can_t_be_corrected(archive: Archive, port: str, verdict: Verdict) -> None:
    judge(archive, port, verdict)
    with pytest.raises(Forgotten):
        correct(archive, port, "x")


@pytest.mark.req("HMG-19")
def test_what_was_negated_can_be_put_right(archive: Archive, port: str) -> None:
    judge(archive, port, Verdict.NEGATE)
    correct(archive, port, "The port is 9000.")
    assert found(archive, "port") == ["The port is 9000."]


def test_an_event_can_t_be_corrected(archive: Archive) -> None:
    with pytest.raises(UnknownId):
        correct(archive, str(archive.events()[0]["id"]), "x")


# --- what changes ---


@pytest.mark.req("ORI-53", "ORI-72")
def test_what_is_not_given_is_inherited(archive: Archive, port: str) -> None:
    old, new = get(archive, port)["entry"], _corrected(archive, port, "The port is 9000.")
    changed = {name for name in old if old[name] != new[name]}
    assert changed == {"id", "text", "created", "supersedes"}


@pytest.mark.req("ORI-53", "ORI-72")
def test_none_clears_and_a_value_replaces(archive: Archive, port: str) -> None:
    cleared = _corrected(archive, port, valid_from=None, event_time=None, name=None, tags=None)
    names = ("text", "valid_from", "event_time", "name", "tags")
    assert [cleared[name] for name in names] == ["The port is 8737.", None, None, None, []]
    given = {"name": "Порт", "tags": ["a"], "confidence": 1, "importance": 0, "valid_to": "2999-01-01"}
    replaced = _corrected(archive, cleared["id"], **given)
    assert replaced["valid_to"].startswith("2999-01-01T00:00:00.000")
    assert [replaced[name] for name in ("name", "tags", "confidence", "importance")] == ["Порт", ["a"], 1, 0]


@pytest.mark.req("ORI-53")
def test_new_sources_come_after_the_inherited_ones(archive: Archive, port: str) -> None:
    new = correct(archive, port, "The port is 9000.", sources=quoted(quote="listens on port 9000"))["entry"]["id"]
    assert [each["quote"] for each in get(archive, new)["sources"]] == ["listens on port 8737", "listens on port 9000"]
    assert [each["quote"] for each in get(archive, port)["sources"]] == ["listens on port 8737"]


def test_what_cited_nothing_cites_something_once_it_is_given(archive: Archive) -> None:
    first = entry(archive, "The port is 8737.")
    new = _corrected(archive, first, sources=quoted(quote="listens on port 8737"))
    assert (get(archive, first)["entry"]["uncited"] is None, new["uncited"]) == (False, None)


def test_a_correction_with_a_source_that_fails_stores_nothing(archive: Archive, port: str) -> None:
    with pytest.raises(QuoteNotFound):
        correct(archive, port, "x", sources=quoted(quote="nobody said this"))
    assert len(history(archive, port)["versions"]) == 1


@pytest.mark.req("ORI-25")
def test_the_author_is_who_corrected(archive: Archive, port: str) -> None:
    new = _corrected(archive, port, "The port is 9000.", by=PERSON)
    assert (new["author"].partition("@")[0], new["attribution"]) == ("user", "user")


@pytest.mark.req("OV-2")
def test_fields_change_by_the_rules_of_their_type(archive: Archive, port: str) -> None:
    new = _corrected(archive, port, fields={"triggers": ["порт"], "role": None, "level": "must"})
    assert new["fields"] == {"triggers": ["port", "порт"], "origin": "the README", "level": "must"}
    with pytest.raises(QuothError, match=r"`fields\.origin` must be what it is; this field never changes"):
        correct(archive, new["id"], fields={"origin": "elsewhere"})
    assert _corrected(archive, new["id"], fields=None)["fields"] == {"origin": "the README"}


def test_another_type_keeps_the_fields_that_it_has(archive: Archive, port: str) -> None:
    new = _corrected(archive, port, type="constraint")
    assert (new["kind"], new["type"], new["fields"]) == ("knowledge", "constraint", {"triggers": ["port"]})
    moved = _corrected(archive, new["id"], kind="memory")
    assert (moved["kind"], moved["type"]) == ("memory", "note")
    assert _corrected(archive, moved["id"], "Same kind.", kind="memory", type="case")["type"] == "case"


def test_an_entry_of_a_type_that_is_gone_can_be_corrected(archive: Archive) -> None:
    (archive.home / "types").mkdir()
    template = archive.home / "types/incident.yaml"
    template.write_text("kind: memory\ndescription: An outage.\nfields: {cost: {description: Money.}}\n")
    first = entry(archive, "The shop was down.", type="incident", fields={"cost": 7})
    template.unlink()
    new = _corrected(archive, first, "The shop was down for an hour.")
    assert (new["type"], new["fields"]) == ("incident", {"cost": 7})


@pytest.mark.req("ORI-28")
def test_a_name_stays_and_can_t_become_another_entry_s(archive: Archive, port: str) -> None:
    other = entry(archive, "Port 1.", type="rule", name="other")
    with pytest.raises(QuothError, match=f"{port} has it"):
        correct(archive, other, name="port")
    assert _corrected(archive, port, "The port is 9000.", name="port")["name"] == "port"


@pytest.mark.req("HMG-6")
def test_secrets_are_taken_out_of_the_new_words_and_the_reason(archive: Archive, port: str) -> None:
    answer = correct(archive, port, f"The bot logs in with {SECRET}.", reason=f"told so by {SECRET}")
    assert answer["redacted"] == 2
    last = history(archive, port)["versions"][-1]
    assert "[REDACTED:" in last["text"]
    assert "[REDACTED:" in last["reason"]
    assert [path for path in archive.home.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()] == []


@pytest.mark.req("HMG-21")
@pytest.mark.parametrize("said", [{}, {"text": " The port is 8737.\n"}, {"tags": ["net"]}, {"confidence": 0.5}])
def test_a_correction_that_changes_nothing_writes_nothing(archive: Archive, port: str, said: dict[str, Any]) -> None:
    answer = correct(archive, port, **said)
    assert (answer["verdict"], answer["entry"]["id"]) == ("NOOP", port)
    assert len(history(archive, port)["versions"]) == 1


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"text": ""}, "`text` must be a statement that says something."),
        ({"text": SECRET}, "`text` must be a statement; without the secret in it nothing is left of it."),
        ({"confidence": "high"}, "`confidence` must be a number from 0 to 1."),
        ({"valid_to": "2019-01-01"}, "`valid_from` must be no later than `valid_to`."),
        ({"valid_to": "soon"}, "`valid_to` must be a time: <n>m|h|d|w back from now, YYYY-MM-DD, or ISO 8601."),
        ({"kind": "memory", "type": "rule"}, "`kind` must be cognition for the type rule."),
        ({"fields": {"cost": 1}}, re.compile("`fields` must be an object with fields of the type rule: ")),
        ({"reason": "r" * 2001}, "`reason` must be at most 2000 characters long."),
        ({"sources": "x"}, "`sources` must be a list of at most 100 events and quotes."),
    ],
)
def test_what_can_t_be_used_is_told_and_stores_nothing(
    archive: Archive, port: str, given: dict[str, Any], said: str | re.Pattern[str]
) -> None:
    with pytest.raises(QuothError) as caught:
        correct(archive, port, **given)
    assert re.match(said, str(caught.value)) if isinstance(said, re.Pattern) else str(caught.value) == said
    assert len(history(archive, port)["versions"]) == 1


# --- two devices ---


@pytest.fixture
def fork(tmp_path: Path) -> tuple[Archive, Archive, str]:
    """Return two devices that corrected one entry without knowing of each other, and the entry."""
    one, other = Archive(tmp_path, "one"), Archive(tmp_path, "other")
    first = entry(one, "The port is 8737.")
    exchange(one, other)
    correct(one, first, "The port is 1.")
    correct(other, first, "The port is 2.")
    exchange(one, other)
    return one, other, first


def _states(archive: Archive, given: str) -> list[tuple[str, str, bool]]:
    versions = history(archive, given)["versions"]
    return [(each["text"], each["status"], each["concurrent"]) for each in versions]


@pytest.mark.req("ORI-24", "INV-4")
def test_of_two_corrections_made_apart_one_wins_on_both_devices(fork: tuple[Archive, Archive, str]) -> None:
    one, other, first = fork
    assert (
        _states(one, first)
        == _states(other, first)
        == [
            ("The port is 8737.", "superseded", False),
            ("The port is 1.", "superseded", True),
            ("The port is 2.", "active", False),
        ]
    )
    assert found(one) == found(other) == ["The port is 2."]


@pytest.mark.req("ORI-54", "INV-4")
def test_one_correction_that_saw_both_settles_a_fork(fork: tuple[Archive, Archive, str]) -> None:
    one, other, first = fork
    current = search(one)["entries"][0]["id"]
    lost = next(each["id"] for each in history(one, first)["versions"] if each["concurrent"])
    with pytest.raises(NotCurrent, match=current):
        correct(one, lost, "The port is 3.")
    assert correct(one, current, "The port is 2.")["verdict"] == "SUPERSEDE"
    exchange(one, other)
    for device in fork[:2]:
        assert [concurrent for _, _, concurrent in _states(device, first)] == [False] * 4
        assert found(device) == ["The port is 2."]


def test_a_short_id_of_two_entries_is_told_with_both(archive: Archive) -> None:
    for number in range(2):
        said = Statement(
            text=f"Port {number}.", kind=EntryKind.MEMORY, type="note", created_at=1_000, author="codex@desk"
        )
        append(archive, asserting(entry_id(bytes([number]) + b"\7" * 15), said))
    with pytest.raises(Ambiguous, match=r"is ambiguous; pass one of: ent_00.*, ent_01"):
        correct(archive, "07070707", "x")


def test_remembering_what_a_correction_says_now_is_a_duplicate(archive: Archive, port: str) -> None:
    current = correct(archive, port, "The port is 9000.")["entry"]["id"]
    assert remember(archive, "The port is 9000.")["entry"]["id"] == current


@pytest.mark.req("ORI-49", "ORI-58")
def test_what_somebody_forgets_while_it_is_looked_up_is_not_cited(archive: Archive, port: str) -> None:
    def run(kernel: Kernel) -> None:
        citing = _ForgottenMeanwhile(kernel.memory, archive)
        replace(kernel.correct, citing=citing).run(port, by=PERSON, sources=quoted(quote="Which port?"))

    with pytest.raises(Uncitable):
        archive.ask(run)
    assert len(history(archive, port)["versions"]) == 1


@dataclass(frozen=True)
class _ForgottenMeanwhile(Citing):
    """Looks sources up while another process forgets what is found."""

    archive: Archive

    def resolve(self, sources: Sequence[Quoted], *, note: str | None = None) -> Sequence[Citation]:
        found = Citing.resolve(self, sources, note=note)
        for citation in found:
            self.archive.ask(lambda kernel, id_=citation.event: kernel.forget.run(id_, "Not ours.", by=PERSON))
        return found
