"""Which entries say what a text says already, with a model and without (MMC-8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from quoth.core.redact import redact
from quoth.core.vectors import key_of
from quoth.services.compare import Comparing
from quoth.services.duplicates import Duplicates, Similar
from quoth.wiring import Kernel
from services.remembering import begun, forget, remember

UNKNOWN = "The function parse_order returns None for an unknown currency."
FRIDAYS = "Deployments to production are forbidden on Fridays."
SHORTER = "parse_order returns None for an unknown currency."
RUSSIAN = "По пятницам нельзя выкладывать на боевые серверы."


@pytest.fixture
def embedded(tmp_path: Path) -> Iterator[Duplicates]:
    """Return the service over two entries that have their vectors, with the model in this process."""
    archive = begun(tmp_path)
    for text in (UNKNOWN, FRIDAYS):
        remember(archive, text)
    kernel = Kernel(dict(archive.env))
    embedder = kernel.embedder
    assert embedder is not None
    vectors = kernel.vectors_of(embedder)
    vectors.put(zip(map(key_of, (UNKNOWN, FRIDAYS)), embedder.embed([UNKNOWN, FRIDAYS], use="passage"), strict=True))
    yield Duplicates(kernel.memory, Comparing(embedder, vectors))
    vectors.close()
    kernel.close()


def found(similar: Sequence[Similar]) -> list[str]:
    said = (each.row.version.statement for each in similar)
    return [statement.text for statement in said if statement]


@pytest.mark.req("MMC-8", "INV-9")
def test_meaning_tells_a_duplicate_that_words_alone_leave_open(embedded: Duplicates) -> None:
    memory = embedded.memory
    assert found(Duplicates(memory, _Nobody()).run(SHORTER)) == []
    [similar] = embedded.run(SHORTER)
    assert found([similar]) == [UNKNOWN]
    assert 0.9 <= similar.similarity <= 1


@pytest.mark.req("MMC-8", "INV-10")
def test_what_shares_no_word_is_compared_by_meaning_and_is_no_duplicate(embedded: Duplicates) -> None:
    assert found(Duplicates(embedded.memory, _Nobody()).run(RUSSIAN, threshold=0.1)) == []
    [similar, *_] = embedded.run(RUSSIAN, threshold=0.1)
    assert found([similar]) == [FRIDAYS]
    assert similar.similarity <= 0.8


@pytest.mark.req("MMC-8", "SEC-5")
def test_the_model_never_sees_a_secret(tmp_path: Path) -> None:
    archive, seen = begun(tmp_path), _Seeing()
    secret = "password=correct-horse-9"
    archive.ask(lambda kernel: Duplicates(kernel.memory, seen).run(f"The oven deploys with {secret} daily."))
    assert seen.texts == [redact(f"The oven deploys with {secret} daily.").text]
    assert secret not in seen.texts[0]


@pytest.mark.req("MMC-8")
def test_only_what_is_remembered_now_is_similar(tmp_path: Path) -> None:
    archive = begun(tmp_path)
    gone = remember(archive, UNKNOWN)
    remember(archive, FRIDAYS, valid_to="2020-01-01")
    forget(archive, gone)
    for text in (UNKNOWN, FRIDAYS):
        assert archive.ask(lambda kernel, text=text: kernel.duplicates.run(text, threshold=0)) == []


class _Nobody:
    """A model that is not there."""

    def compare(self, text: str, **_: object) -> None:
        return None


class _Seeing(_Nobody):
    def __init__(self) -> None:
        self.texts: list[str] = []

    def compare(self, text: str, **_: object) -> None:
        self.texts.append(text)
