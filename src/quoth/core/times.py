"""Read and print instants (ORI-13, ORI-14): integers of milliseconds since 1970 UTC inside, local ISO 8601 outside."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from quoth.core.errors import InvalidArgument

LATEST = 253_402_214_399_999  # 9999-12-30T23:59:59.999Z, the last that every zone can say with a year of four digits

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_RELATIVE = re.compile(r"(\d{1,9})([mhdw])", re.ASCII)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_MINUTES = {"m": 1, "h": 60, "d": 1440, "w": 10080}
_EXPECTED = "a time: <n>m|h|d|w back from now, YYYY-MM-DD, or ISO 8601"


def from_iso(text: str) -> int | None:
    """Return the instant an ISO 8601 text says (naive = UTC, any number of decimals), or None when it says none."""
    try:
        said = datetime.fromisoformat(text)
    except ValueError:
        return None
    return _instant(said if said.tzinfo else said.replace(tzinfo=UTC))


def parse(text: str, *, argument: str, now: int) -> int:
    """Return the instant a person or agent gave: `30m`, `24h`, `7d`, `2w`, a date (local midnight), or ISO 8601.

    Raises:
        InvalidArgument: the text is none of these.
    """
    if match := _RELATIVE.fullmatch(text):
        return max(0, now - int(match[1]) * _MINUTES[match[2]] * 60_000)
    try:
        said = datetime.fromisoformat(text)
        instant = _instant(said if said.tzinfo else said.astimezone())
    except (ValueError, OverflowError, OSError):
        instant = None
    if instant is None or len(text) < 10 or not _DATE.match(text):
        raise InvalidArgument(argument, _EXPECTED)
    return instant


def duration(text: str, *, argument: str) -> int:
    """Return the milliseconds of a length like `30m` or `2h`."""
    match = _RELATIVE.fullmatch(text)
    if not match:
        raise InvalidArgument(argument, "a length of time such as 30m, 2h, 7d or 2w")
    return int(match[1]) * _MINUTES[match[2]] * 60_000


def local_iso(instant: int) -> str:
    """Print an instant in the local zone with milliseconds and offset: `2026-10-20T09:12:30.000+08:00`."""
    return _utc(instant).astimezone().isoformat(timespec="milliseconds")


def rfc3339(instant: int) -> str:
    """Print an instant in UTC with milliseconds: `2026-10-20T01:12:30.000Z`."""
    return _utc(instant).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _utc(instant: int) -> datetime:
    return _EPOCH + timedelta(milliseconds=min(max(instant, 0), LATEST))


def _instant(said: datetime) -> int | None:
    instant = (said - _EPOCH) // _MILLISECOND
    return instant if 0 <= instant <= LATEST else None
