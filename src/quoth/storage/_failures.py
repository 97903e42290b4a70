"""Say in a sentence what SQLite or the system refused; it holds no text of a query, an event or an operation."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import apsw

from quoth.core.errors import Busy, StoreFailed

_WHY = {
    apsw.FullError: "the disk is full",
    apsw.ReadOnlyError: "the file can't be written",
    apsw.PermissionsError: "the file can't be written",
    apsw.CantOpenError: "the file can't be opened",
    apsw.IOError: "the disk is full or reported an error",  # what can't be mapped into memory is told like this
}


@contextmanager
def said(doing: str, *, what: str, remedy: str) -> Iterator[None]:
    """Turn what is raised inside into our errors; `what` is in use when it is locked, `remedy` mends what is damaged.

    Raises:
        Busy: another process keeps it locked.
        StoreFailed: anything else of the engine or of the system.
    """
    try:
        yield
    except (apsw.BusyError, apsw.LockedError) as error:
        raise Busy(what) from error
    except (apsw.CorruptError, apsw.NotADBError) as error:
        why = "damaged" if isinstance(error, apsw.CorruptError) else f"no {what.removeprefix('the ')}"
        raise StoreFailed(doing, f"the file is {why}; {remedy}", is_damage=True) from error
    except apsw.Error as error:
        raise StoreFailed(doing, _WHY.get(type(error), f"SQLite said {type(error).__name__}")) from error
    except OSError as error:
        raise StoreFailed(doing, error.strerror or type(error).__name__) from error
