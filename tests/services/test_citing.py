"""What is cited is an event that says so: by its id, by its words, or both (ORI-49 to 51)."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from typing import Any

import pytest

from quoth.core.errors import InvalidArgument, QuoteNotFound, QuothError, Uncitable, UnknownId
from quoth.core.ids import EventId
from quoth.core.ledger.marks import quote_mark
from quoth.core.ledger.operations import Draft, Forget
from quoth.core.ledger.values import Citation
from quoth.core.memory import Quoted
from quoth.core.speaker import Speaker
from services.archive import Archive

AGENT = Speaker("codex")
REASON = "Ship the stock page first,\n   but without GraphQL."
CHINESE = "先做库存页面，再用 GraphQL 接口，\n因为订单\n系统还没有。"
RUSSIAN = "Сначала склад,\n  потом заказы: так решил Пётр."
SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
LINES = (REASON, "Fine.", CHINESE, "好的。", RUSSIAN, "Хорошо.", f"The token is {SECRET} for now.", "I see.")


@pytest.fixture
def archive(archive: Archive) -> Archive:
    archive.log().write_bytes(b"".join(archive.records(LINES)))
    archive.sync()
    return archive


def number(n: int) -> str:
    """Return the id of what the n-th record says."""
    return f"claude-code:{uuid.UUID(int=0x5EED_0000_0000_4000_8000_0000_0000_0000 + n)}"


def said(archive: Archive, *records: bytes) -> None:
    with archive.log().open("ab") as log:
        log.writelines(records)
    archive.sync()


def call(archive: Archive, tool: str, given: dict[str, Any], *, n: int) -> bytes:
    """Return a line in which the agent calls a tool."""
    record = json.loads(archive.record("", n=n, role="assistant"))
    record["message"]["content"] = [{"type": "tool_use", "id": f"toolu_{n}", "name": tool, "input": given}]
    return json.dumps(record, ensure_ascii=False).encode() + b"\n"


def result(archive: Archive, text: str, *, of: int, n: int) -> bytes:
    record = json.loads(archive.record("", n=n))
    record["message"]["content"] = [{"type": "tool_result", "tool_use_id": f"toolu_{of}", "content": text}]
    return json.dumps(record, ensure_ascii=False).encode() + b"\n"


def cited(archive: Archive, *sources: Quoted, note: str | None = None) -> Sequence[Citation]:
    found: Sequence[Citation] = archive.ask(lambda kernel: kernel.citing.resolve(sources, note=note))
    return found


def events(archive: Archive, *quotes: str) -> list[str]:
    return [citation.event for citation in cited(archive, *(Quoted(None, quote) for quote in quotes))]


def exact(archive: Archive, citation: Citation) -> str:
    """Return the words of the event that a citation marks."""
    text: str = archive.ask(lambda kernel: kernel.get.run(citation.event)["text"])
    assert citation.span
    return text[slice(*citation.span)]


def forget(archive: Archive, event: str) -> None:
    body = Forget(events=(EventId(event),))
    archive.ask(lambda kernel: kernel.memory.append([Draft(body, "user@desk", "Not ours.")]))


@pytest.mark.req("ORI-49", "ORI-50", "ORI-72")
@pytest.mark.parametrize(
    ("quote", "n", "words"),
    [
        ("ship the STOCK page first, but", 1, "Ship the stock page first,\n   but"),
        ("tock page first, but with", 1, "tock page first,\n   but with"),
        ("Shipthestockpage", 1, "Ship the stock page"),
        ("GraphQL", 3, "GraphQL"),
        ("再用GraphQL接口", 3, "再用 GraphQL 接口"),
        ("库存 页面", 3, "库存页面"),
        ("因为订单系统还没有", 3, "因为订单\n系统还没有"),
        ("склад, потом заказы", 5, "склад,\n  потом заказы"),
        ("ПЁТР", 5, "Пётр"),
        ("е склад", None, None),
    ],
)
def test_words_are_found_in_what_was_said(archive: Archive, quote: str, n: int | None, words: str | None) -> None:
    if n is None:
        with pytest.raises(QuoteNotFound):
            cited(archive, Quoted(None, quote))
        return
    (by_words,) = cited(archive, Quoted(None, quote))
    (by_both,) = cited(archive, Quoted(number(n), quote))
    assert by_words == by_both
    assert by_words.event == number(n)
    assert exact(archive, by_words) == by_words.quote == words


@pytest.mark.req("INV-3", "ORI-49")
def test_a_citation_says_where_the_words_stand_and_proves_them(archive: Archive) -> None:
    (citation,) = cited(archive, Quoted(number(1), "stock page"))
    key, device = archive.ask(lambda kernel: (kernel.key, kernel.journal.device()[0]))
    (line,) = archive.ask(lambda kernel: kernel.sources.run(number(1)))
    assert citation.mark == quote_mark(key, "stock page")
    assert citation.anchor is not None
    assert citation.anchor.device == device
    assert citation.anchor.sha256.hex() == line["sha256"]
    assert (citation.anchor.first_line, citation.anchor.last_line, citation.anchor.generation) == (1, 1, 1)
    assert citation.anchor.stream.endswith(f"/projects/-work-bakery/{archive.log().name}")


@pytest.mark.req("ORI-49")
def test_an_event_is_cited_as_a_whole_without_a_quote(archive: Archive) -> None:
    (citation,) = cited(archive, Quoted(number(2)))
    assert (citation.event, citation.quote, citation.span, citation.mark) == (number(2), None, None, None)
    assert citation.anchor is not None


@pytest.mark.req("HMG-6")
def test_a_secret_is_not_stored_with_the_quote_but_the_mark_is_that_of_the_exact_words(archive: Archive) -> None:
    (citation,) = cited(archive, Quoted(None, f"token is {SECRET}"))
    assert citation.quote is not None
    assert SECRET not in citation.quote
    assert citation.mark == quote_mark(archive.ask(lambda kernel: kernel.key), f"token is {SECRET}")


@pytest.mark.req("HMG-6")
def test_a_quote_that_is_only_a_part_of_a_secret_is_not_stored(archive: Archive) -> None:
    said(archive, archive.record("export DB_PASSWORD=kangaroo-9912-Xq here", n=20))
    (citation,) = cited(archive, Quoted(number(20), "garoo-9912"))
    assert citation.quote is not None
    assert "9912" not in citation.quote
    assert exact(archive, citation) == "garoo-9912"


# --- which event ---


@pytest.mark.req("ORI-50")
def test_of_two_messages_the_newer_is_cited(archive: Archive) -> None:
    said(archive, archive.record("We ship the stock page first, I said.", n=20, role="assistant"))
    assert events(archive, "the stock page first") == [number(20)]


@pytest.mark.req("ORI-50")
@pytest.mark.parametrize("quote", ["moss grows on the north wall", "moss", "mossgrowsonthe", "墙 北面 长着"])
def test_a_message_is_cited_before_a_newer_result_of_a_tool(archive: Archive, quote: str) -> None:
    text = "So the moss grows on the north wall. 墙北面长着苔藓。"
    said(
        archive,
        call(archive, "Bash", {"command": "cat wall.md"}, n=20),
        result(archive, f"# Wall\n{text}", of=20, n=21),
    )
    assert events(archive, quote) == [number(21)]
    said(archive, archive.record(text, n=22), call(archive, "Bash", {"command": "cat wall.md"}, n=23))
    said(archive, result(archive, text, of=23, n=24))
    assert events(archive, quote) == [number(22)]


@pytest.mark.req("ORI-50")
@pytest.mark.parametrize("quote", ["lichen on the roof tiles", "lichen"])
def test_a_call_of_a_tool_is_never_cited_for_its_words(archive: Archive, quote: str) -> None:
    said(archive, call(archive, "Write", {"content": "There is lichen on the roof tiles."}, n=20))
    with pytest.raises(QuoteNotFound) as caught:
        cited(archive, Quoted(None, quote))
    assert str(caught.value) == (
        f'No event contains the quote "{quote}". Search for the event and cite its id instead.'
    )
    assert [citation.event for citation in cited(archive, Quoted(number(20), quote))] == [number(20)]


@pytest.mark.req("ORI-50", "INV-8")
def test_traffic_of_our_own_tools_is_never_cited(archive: Archive) -> None:
    said(
        archive,
        call(archive, "mcp__quoth__search", {"query": "heather in the meadow"}, n=20),
        result(archive, "Found: heather in the meadow.", of=20, n=21),
    )
    for quote in ("heather in the meadow", "heather"):
        with pytest.raises(QuoteNotFound):
            cited(archive, Quoted(None, quote))
    for n in (20, 21):
        with pytest.raises(Uncitable) as caught:
            cited(archive, Quoted(number(n)))
        assert str(caught.value) == f"Event {number(n)} is traffic of Quoth's own tools and cannot be cited."


@pytest.mark.req("ORI-49", "ORI-58")
@pytest.mark.parametrize("quote", ["the stock page", "stock"])
def test_a_forgotten_event_is_never_cited(archive: Archive, quote: str) -> None:
    said(archive, archive.record("No stock page, please: the stock page waits.", n=20))
    forget(archive, number(20))
    assert events(archive, quote) == [number(1)]
    with pytest.raises(Uncitable) as caught:
        cited(archive, Quoted(number(20), quote))
    assert str(caught.value) == f"Event {number(20)} has been forgotten and cannot be cited."
    forget(archive, number(1))
    with pytest.raises(QuoteNotFound):
        cited(archive, Quoted(None, quote))


@pytest.mark.req("ORI-50")
def test_a_newer_message_is_cited_although_a_line_ends_inside_its_words(archive: Archive) -> None:
    said(archive, archive.record("Nutmeg-\nand-mace tea", n=20))
    assert events(archive, "nutmeg-and-mace") == [number(20)]
    assert events(archive, "meg- and-m ace te") == [number(20)]


# --- what is refused ---


@pytest.mark.req("ORI-49")
def test_a_quote_that_the_event_does_not_hold_is_refused(archive: Archive) -> None:
    with pytest.raises(QuoteNotFound) as caught:
        cited(archive, Quoted(number(2), "the stock page"))
    assert str(caught.value) == f'Quote not found in event {number(2)}: "the stock page"'


@pytest.mark.req("ORI-72")
def test_a_quote_that_may_come_later_is_refused_with_the_reason(archive: Archive) -> None:
    with pytest.raises(QuoteNotFound, match=r"cite its id instead\. \(new lines are read\)$"):
        cited(archive, Quoted(None, "never said at all"), note="new lines are read")
    with pytest.raises(QuoteNotFound, match=r'"never said" \(new lines are read\)$'):
        cited(archive, Quoted(number(1), "never said"), note="new lines are read")


@pytest.mark.req("ORI-16", "ORI-49")
@pytest.mark.parametrize(
    ("source", "error"),
    [
        (Quoted("claude-code:nothing"), UnknownId),
        (Quoted("claude-code:nothing", "stock"), UnknownId),
        (Quoted("\x00", "stock"), UnknownId),
        (Quoted(), InvalidArgument),
        (Quoted(None, " \n\u3000"), InvalidArgument),
        (Quoted(number(1), ""), InvalidArgument),
        (Quoted(None, "x" * 4_001), InvalidArgument),
        (Quoted(None, "\ud800"), QuoteNotFound),
        (Quoted(None, '" OR *'), QuoteNotFound),
        (Quoted(None, "x" * 4_000), QuoteNotFound),
    ],
)
def test_what_names_nothing_is_refused(archive: Archive, source: Quoted, error: type[QuothError]) -> None:
    with pytest.raises(error):
        cited(archive, Quoted(number(1)), source)


@pytest.mark.req("ORI-49")
def test_what_is_cited_twice_is_cited_once(archive: Archive) -> None:
    found = cited(
        archive,
        Quoted(number(1), "stock page"),
        Quoted(None, "STOCK  PAGE"),
        Quoted(number(1)),
        Quoted(number(1)),
        Quoted(number(1), "GraphQL"),
    )
    assert [(citation.event, citation.quote) for citation in found] == [
        (number(1), "stock page"),
        (number(1), None),
        (number(1), "GraphQL"),
    ]


@pytest.mark.req("ORI-52")
def test_nothing_is_stored_when_one_source_fails(archive: Archive) -> None:
    def remember(*sources: Quoted) -> Any:
        return archive.ask(lambda kernel: kernel.remember.run("Stock first.", by=AGENT, sources=sources))

    with pytest.raises(QuoteNotFound):
        remember(Quoted(number(1)), Quoted(None, "never said at all"))
    assert archive.ask(lambda kernel: kernel.search.run("stock", target="entries")["entries"]) == []
    assert remember(Quoted(number(1)))["verdict"] == "ADD"


@pytest.mark.req("ORI-51", "ORI-65")
def test_a_line_that_nobody_read_yet_can_be_quoted_at_once(archive: Archive) -> None:
    with archive.log().open("ab") as log:
        log.write(archive.record("Heron ponds freeze over in January.", n=20))
    done = archive.ask(
        lambda kernel: kernel.remember.run(
            "Ponds freeze in January.", by=AGENT, sources=[Quoted(None, "heron ponds freeze over")]
        )
    )
    (source,) = archive.ask(lambda kernel: kernel.sources.run(done["entry"]["id"]))
    assert (source["event_id"], source["quote"]) == (number(20), "Heron ponds freeze over")
