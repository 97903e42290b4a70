"""What a pass tells of one source, failures included."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from quoth.core.errors import QuothError, ReadFailed, StoreFailed
from quoth.core.ids import SourceId
from quoth.core.model import Batch, Skipped


@dataclass(slots=True)
class SourceReport:
    """What one pass did with one source. `read` counts bytes, `events` only new ones, `skipped` includes failures."""

    source: SourceId
    files: int = 0
    changed: int = 0
    read: int = 0
    events: int = 0
    excluded: int = 0
    failed: int = 0
    skipped: list[Skipped] = field(default_factory=list)


@contextmanager
def failures_of(report: SourceReport, path: str) -> Iterator[None]:
    """Turn what goes wrong with one file into a line of the report; a store that refuses ends the pass."""
    try:
        yield
    except StoreFailed:
        raise
    except Exception as error:  # foreign code and foreign files: their failure is a value
        report.failed += 1
        report.skipped.append(Skipped(path, _reason(error)))


def _reason(error: Exception) -> str:
    match error:
        case ReadFailed():
            return error.reason
        case OSError():
            return "unreadable"
        case QuothError():
            return error.code
        case _:
            return f"adapter failed ({type(error).__name__})"


def count_into(reports: Mapping[SourceId, SourceReport]) -> Callable[[Batch, int], None]:
    """Return what adds the new events of each batch to the report of its source."""

    def count(batch: Batch, new: int) -> None:
        reports[batch.stream.source].events += new

    return count
