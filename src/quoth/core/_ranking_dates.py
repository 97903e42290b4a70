"""Tell which times a question names: a day, a month or a year, and a few that count back from now.

English, Russian and Chinese, and ISO dates; all in UTC, so that an answer does not depend on where it is given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import chain, islice
from typing import NamedTuple

from quoth.core.text import fold

_DAY = timedelta(days=1)
_LONGEST, _MOST = 2_000, 8  # characters that are read, times that are kept
_MONTHS = (
    "jan(?:uary)?|янв(?:ар[ьяе])?",
    "feb(?:ruary)?|февр(?:ал[ьяе])?",
    "mar(?:ch)?|март[ае]?",
    "apr(?:il)?|апрел[ьяе]",
    "may|ма[йяе]",
    "june?|июн[ьяе]",
    "july?|июл[ьяе]",
    "aug(?:ust)?|август[ае]?",
    "sept?(?:ember)?|сент(?:ябр[ьяе])?",
    "oct(?:ober)?|окт(?:ябр[ьяе])?",
    "nov(?:ember)?|ноябр[ьяе]",
    "dec(?:ember)?|дек(?:абр[ьяе])?",
)
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})\b\.?"
_YEAR = r"(?P<year>(?:19|20)\d\d)\b"
_NUMBER = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_WRITTEN = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?<!\d)(?P<year>(?:19|20)\d\d)[-/.](?P<month>\d{1,2})(?:[-/.](?P<day>\d{1,2}))?(?!\d)",
        r"(?<!\d)(?P<year>(?:19|20)\d\d) ?年(?: ?(?P<month>\d{1,2}) ?月(?: ?(?P<day>\d{1,2}) ?[日号])?)?",
        rf"\b{_NUMBER} (?:of )?{_MONTH},? ?(?:{_YEAR})?",
        rf"\b{_MONTH} {_NUMBER}\b(?!:),? ?(?:{_YEAR})?",
        rf"\b{_MONTH},? (?:of )?{_YEAR}",
        rf"\b(?:in|since|во?|с) {_MONTH}",
        rf"\b(?:in|during|since|of|во?|с|за) {_YEAR}",
    )
)
_BACK = (
    (re.compile(r"\btoday\b|\bсегодня\b|今天"), 0, 0),
    (re.compile(r"\byesterday\b|\bвчера\b|昨天"), 1, 1),
    (re.compile(r"\bthis week\b|\bна этой неделе\b|这周|本周"), 7, 0),
    (re.compile(r"\blast week\b|\bна прошлой неделе\b|上周|上个?星期"), 14, 1),
    (re.compile(r"\blast month\b|\bв прошлом месяце\b|上个?月"), 62, 1),
)


class Span(NamedTuple):
    """Instants in milliseconds since 1970 UTC, the last one not included."""

    start: int
    end: int


def named_times(question: str, *, now: int) -> tuple[Span, ...]:
    """Return the times that a question names, each once; a day without a year is the last one before `now`."""
    said = fold(question[:_LONGEST])
    today = datetime.fromtimestamp(now / 1000, UTC).date()
    return tuple(dict.fromkeys(islice(chain(_counted_back(said, today), _dates(said, today)), _MOST)))


def _dates(said: str, today: date) -> Iterator[Span]:
    for pattern in _WRITTEN:
        for found in pattern.finditer(said):
            if span := _span(found.groupdict(), today):
                yield span
        said = pattern.sub(" ", said)  # "3 may 2023" is no "may 2023" as well


def _counted_back(said: str, today: date) -> Iterator[Span]:
    for pattern, first, last in _BACK:
        if pattern.search(said):
            yield _between(today - first * _DAY, today - last * _DAY + _DAY)


def _span(said: dict[str, str | None], today: date) -> Span | None:
    """Return a named day, month or year; nothing where there is no such day."""
    month = _month(said.get("month"))
    day = int(said.get("day") or 0)
    try:
        if not month:
            return _year(said)
        year = int(said.get("year") or 0) or _last(month, day or 1, today)
        first = date(year, month, day or 1)
        return _between(first, first + _DAY if day else _next_month(first))
    except (ValueError, OverflowError):
        return None


def _year(said: dict[str, str | None]) -> Span | None:
    year = int(said.get("year") or 0)
    return _between(date(year, 1, 1), date(year + 1, 1, 1)) if year else None


def _month(said: str | None) -> int:
    if not said:
        return 0
    if said.isdecimal():
        return int(said)
    return next(number for number, names in enumerate(_MONTHS, 1) if re.fullmatch(names, said))


def _last(month: int, day: int, today: date) -> int:
    return today.year if (month, day) <= (today.month, today.day) else today.year - 1


def _next_month(first: date) -> date:
    return date(first.year + first.month // 12, first.month % 12 + 1, 1)


def _between(first: date, end: date) -> Span:
    return Span(_instant(first), _instant(end))


def _instant(day: date) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()) * 1000
