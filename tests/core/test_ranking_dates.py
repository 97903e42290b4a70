"""Which times a question names, as far as ranking shows it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from core.hits import DAY, NOW, WORDS, asker, event
from quoth.core.ranking import rank


@pytest.mark.parametrize(
    ("question", "at"),
    [
        ("What did we fire on May 3, 2024?", "2024-05-03"),
        ("What did we fire on 3rd of May 2024?", "2024-05-04"),
        ("kiln 2024-05-03", "2024-05-03"),
        ("What was fired in May 2024?", "2024-05-30"),
        ("Что обожгли 3 мая 2024?", "2024-05-03"),
        ("2024年5月3日烧了什么？", "2024-05-03"),
        ("What happened in 2024?", "2024-11-11"),
        ("What did we fire in May?", "2026-05-20"),
        ("What did we fire yesterday?", "2026-09-20"),
        ("Что мы делали вчера?", "2026-09-20"),
        ("昨天做了什么？", "2026-09-20"),
        ("What was last week about?", "2026-09-12"),
    ],
)
def test_a_date_in_the_question_brings_up_what_was_said_then(question: str, at: str) -> None:
    then = int(datetime.fromisoformat(at).replace(tzinfo=UTC).timestamp()) * 1000 + DAY // 2
    hits = [event("other", (1, 0), at=then - 800 * DAY), event("then", (1, 0), at=then, length=20)]
    found = rank(WORDS, hits, asker=asker(question))
    assert [each.hit.id for each in found] == ["then", "other"]
    assert ("time" in found[0].because, "time" in found[1].because) == (True, False)


@pytest.mark.parametrize("question", ["What may I fire?", "Set port 2024 and 31.12", "30 February 2024", "marching 12"])
def test_no_date_is_seen_where_there_is_none(question: str) -> None:
    hits = [event(str(at), (1, 0), at=NOW - at * 30 * DAY) for at in range(36)]
    assert not any("time" in each.because for each in rank(WORDS, hits, asker=asker(question)))
