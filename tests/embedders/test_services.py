"""Services of vectors, played by a server on this machine that answers well, badly or not at all."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

import pytest

from quoth.core.errors import EmbedderFailed
from quoth.core.vectors import LONGEST, Use, is_model_name
from quoth.embedders._service import Service
from quoth.embedders.jina import Jina
from quoth.embedders.openai import OpenAI

KEY = "sk-of-the-person"
TEXT = "words that nobody may read in an error"


@dataclass
class Fake:
    """What the server was asked, and what it is to answer."""

    port: int = 0
    asked: list[tuple[str, dict[str, str], dict[str, Any]]] = field(default_factory=list)
    answer: Callable[[list[str]], tuple[int, bytes]] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1/embeddings"

    endless: bool = False
    drips: int = 0
    """How many pieces of a head without end were sent; it is endless when this begins at one."""

    def answers(self, status: int, content: bytes) -> None:
        self.answer = lambda _: (status, content)


def embedded(texts: list[str]) -> bytes:
    """Answer as services do: with an index, in any order."""
    data = [{"index": place, "embedding": [len(text), place + 1.0, -2]} for place, text in enumerate(texts)]
    return json.dumps({"object": "list", "data": data[::-1], "usage": {}}).encode()


@pytest.fixture
def fake() -> Iterator[Fake]:
    made, stopped = Fake(), Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # the name that the library gives it
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            made.asked.append((self.path, dict(self.headers), body))
            status, content = made.answer(body["input"]) if made.answer else (200, embedded(body["input"]))
            if made.endless:
                self.forever()
                return
            if made.drips:
                self.drip()
                return
            self.send_response(status)
            self.send_header("Location", made.url)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def forever(self) -> None:
            self.send_response(200)
            self.end_headers()
            with suppress(OSError):  # until nobody listens any more
                while True:
                    self.wfile.write(b" " * 100_000)

        def drip(self) -> None:
            self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
            with suppress(OSError):
                while made.drips < 200 and not stopped.wait(0.05):
                    self.wfile.write(b"x")
                    made.drips += 1

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Keep the terminal quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.port = server.server_address[1]
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield made
    stopped.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("kind", [OpenAI, Jina])
def test_texts_are_sent_and_vectors_come_back_in_their_order(fake: Fake, kind: type[Service]) -> None:
    service = kind(url=fake.url, key=KEY)  # type: ignore[call-arg]  # the subclasses have defaults for the rest
    found = service.embed(["one", " \n", "three"], use="passage")
    assert [len(vectors) for vectors in found] == [1, 0, 1]
    (row,) = found[2]
    assert row == pytest.approx([number / math.hypot(5, 2, 2) for number in (5, 2, -2)], abs=1e-6)
    path, headers, body = fake.asked[-1]
    assert (path, headers["Authorization"]) == ("/v1/embeddings", f"Bearer {KEY}")
    assert body["input"] == ["one", "three"]
    assert service.dimensions == 3
    assert is_model_name(service.model)


def test_jina_is_told_whether_a_text_asks_or_answers(fake: Fake) -> None:
    service = Jina(url=fake.url, wanted=3)
    service.embed(["a"], use="query")
    service.embed(["a"], use="passage")
    assert [body["task"] for _, _, body in fake.asked] == ["retrieval.query", "retrieval.passage"]
    assert {body["dimensions"] for _, _, body in fake.asked} == {3}


def test_another_address_or_model_is_another_name() -> None:
    asked = [(url, model) for url in ("https://a/v1", "https://b/v1") for model in ("m/X", "m-x")]
    names = {OpenAI(url=url, asked_model=model, wanted=3).model for url, model in asked}
    assert len(names) == 4
    assert all(map(is_model_name, names))


def test_many_and_long_texts_go_in_several_requests_and_windows(fake: Fake) -> None:
    service = OpenAI(url=fake.url, wanted=3)
    found = service.embed(["word " * 100_000, *(f"text {number}" for number in range(100))], use="passage")
    assert [len(vectors) for vectors in found[:3]] == [2, 1, 1]
    assert max(len(body["input"]) for _, _, body in fake.asked) <= 32
    assert sum(len(text) for _, _, body in fake.asked for text in body["input"]) < 2 * LONGEST
    assert [len(vectors) for vectors in service.embed(["word " * 100_000], use="query")] == [1]
    assert service.embed([], use="query") == []


def test_no_text_can_break_a_request(fake: Fake) -> None:
    hostile = ["\ud800 half", '"}], "model": "other', "\x00 zero", "\ufdfa" * 100_000]
    assert all(len(vectors) for vectors in OpenAI(url=fake.url, wanted=3).embed(hostile, use="passage"))
    assert {body["model"] for _, _, body in fake.asked} == {"text-embedding-3-small"}


BAD = {
    "an error": (500, b'{"error": "' + TEXT.encode() + b'"}'),
    "a redirection": (307, b""),
    "no JSON": (200, b"<html>"),
    "no data": (200, b'{"data": null}'),
    "fewer": (200, b'{"data": []}'),
    "no numbers": (200, b'{"data": [{"index": 0, "embedding": ["a", "b", "c"]}]}'),
    "another size": (200, b'{"data": [{"index": 0, "embedding": [1, 2]}]}'),
    "zeros": (200, b'{"data": [{"index": 0, "embedding": [0, 0, 0]}]}'),
    "not a number": (200, b'{"data": [{"index": 0, "embedding": [NaN, 0, 0]}]}'),
    "deep": (200, b"[" * 100_000),
}


@pytest.mark.req("INV-6", "SEC-3")
@pytest.mark.parametrize("what", BAD)
def test_a_bad_answer_is_an_error_without_text_or_key(fake: Fake, what: str) -> None:
    fake.answers(*BAD[what])
    with pytest.raises(EmbedderFailed) as caught:
        OpenAI(url=fake.url, key=KEY, wanted=3).embed([TEXT], use="passage")
    assert KEY not in str(caught.value)
    assert TEXT not in str(caught.value)
    assert caught.value.__cause__ is None
    assert len(fake.asked) == 1, "nothing is asked twice, and no redirection is followed"


@pytest.mark.req("SEC-3", "INV-9")
@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://example.org/v1/embeddings", "over https alone"),
        ("https://name:secret@example.org/v1", "without a name or password"),
        ("ftp://example.org", "must be like"),
        ("https://[broken", "no address"),
        ("", "must be like"),
    ],
)
def test_an_address_that_would_leak_is_refused_before_anything_is_sent(url: str, why: str) -> None:
    with pytest.raises(EmbedderFailed, match=why) as caught:
        OpenAI(url=url, key=KEY, wanted=3).embed([TEXT], use="query")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("kind", [OpenAI, Jina])
def test_without_a_key_nothing_is_sent_to_the_address_of_the_service(kind: type[OpenAI | Jina]) -> None:
    with pytest.raises(EmbedderFailed, match="it needs a key: set QUOTH_EMBEDDER_KEY"):
        kind().check()
    with pytest.raises(EmbedderFailed, match="it needs a key"):
        kind(wanted=3).embed([TEXT], use="query")


def test_an_address_of_ones_own_may_need_no_key(fake: Fake) -> None:
    OpenAI(url=fake.url).check()


def test_a_key_that_can_not_be_sent_is_not_shown(fake: Fake) -> None:
    with pytest.raises(EmbedderFailed) as caught:
        OpenAI(url=fake.url, key="of two\nlines", wanted=3).embed([TEXT], use="query")
    assert "lines" not in str(caught.value)
    assert fake.asked == []


def test_a_service_that_is_not_there_is_an_error() -> None:
    with pytest.raises(EmbedderFailed, match="does not answer"):
        OpenAI(url="http://127.0.0.1:9/v1/embeddings", wanted=3).embed([TEXT], use="query")


def test_an_answer_without_end_is_left(fake: Fake) -> None:
    fake.endless = True
    with pytest.raises(EmbedderFailed, match="too long"):
        OpenAI(url=fake.url, wanted=3, patience=0.5).embed([TEXT], use="query")


def test_an_answer_that_drips_is_left(fake: Fake) -> None:
    fake.drips = 1
    with pytest.raises(EmbedderFailed, match="takes too long"):
        OpenAI(url=fake.url, wanted=3, patience=0.5).embed([TEXT], use="query")
    assert fake.drips < 100


@pytest.mark.req("SEC-3")
@pytest.mark.parametrize("use", ["query", "passage"])
def test_a_secret_that_somebody_said_is_not_sent(fake: Fake, use: Use) -> None:
    token = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"
    block = "-----BEGIN PRIVATE KEY-----\n" + "MIIEvQIBADANBgkqhkiG9w0BAQ\n" * 3 + "-----END PRIVATE KEY-----"
    OpenAI(url=fake.url, wanted=3).embed([f"Take {token} for the bakery", f"and this\n{block}\nfor the mill"], use=use)
    (_, _, body) = fake.asked[-1]
    assert token not in str(body)
    assert "MIIE" not in str(body)
    assert [text.split()[0] for text in body["input"]] == ["Take", "and"]
    assert [text.split()[-1] for text in body["input"]] == ["bakery", "mill"]


@pytest.mark.req("SEC-3", "INV-9")
def test_no_variable_sends_texts_another_way(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    OpenAI(url=fake.url, wanted=3).embed([TEXT], use="query")
    assert len(fake.asked) == 1


@pytest.mark.req("MMC-14")
def test_jina_is_asked_as_its_interface_says(fake: Fake) -> None:
    Jina(url=fake.url, key=KEY).embed(["what was decided"], use="passage")
    _, headers, body = fake.asked[-1]
    assert body == {
        "model": "jina-embeddings-v5-text-small",
        "task": "retrieval.passage",
        "normalized": True,
        "input": ["what was decided"],
    }
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert headers["User-Agent"].startswith("quoth/")


@pytest.mark.req("SEC-3")
def test_a_key_is_in_no_description_of_a_service() -> None:
    assert KEY not in repr(OpenAI(key=KEY)) + repr(Jina(key=KEY))
