"""Seal the streams that will hardly grow any more: small logs would lie raw in the mirror for ever.

What to seal is decided from what a pass knows already; no file is looked at for a stream that was sealed before.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from quoth.core.errors import StoreFailed
from quoth.core.ids import SourceId
from quoth.core.model import Found, Signature, StreamState
from quoth.core.names import mirror_name
from quoth.core.ports import Clock, Mirror
from quoth.services._plan import Registry

_WORTH = 4_096  # raw bytes: less would hardly take less room on a disk
_REST = 7 * 24 * 3_600_000  # milliseconds; agents, too, compress what they did not touch for days
_MANY = 200  # in one pass
_TOGETHER = 32  # wait for the disk together, and lie in memory
_TIME = 500  # milliseconds of one pass, and as many to compare


def resting(
    registry: Registry, *, sources: Collection[SourceId], changed: Collection[int], now: int
) -> Sequence[StreamState]:
    """Choose the streams to seal: gone, superseded or not written for a week, and not `changed` by this very pass.

    The largest come first, as many as one pass may seal.
    """
    chosen = [
        state
        for state in registry.all()
        if _unsealed(state) >= _WORTH
        and state.stream.rank not in changed
        and state.stream.source in sources
        and (state.gone or not registry.is_current(state) or _rests(state, now))
    ]
    return sorted(chosen, key=_unsealed, reverse=True)[:_MANY]


def compared(
    states: Iterable[StreamState], is_as_held: Callable[[StreamState], bool], clock: Clock
) -> Iterator[tuple[StreamState, bool]]:
    """Yield the streams that are to be sealed, while there is time, each with whether its log is as the mirror has it.

    While a log grows, only parts of it are compared; what is sealed will not be looked at for long.
    """
    begun = clock.now()
    for state in states:
        yield state, is_as_held(state)
        if clock.now() - begun >= _TIME:
            return


def at_once(found: Found, *, held: int, now: int) -> int | None:
    """Return from which size on a log is sealed while it is read: an old one that the mirror has nothing of."""
    return _WORTH if held == 0 and _is_old(found.signature, now) else None


def seal(mirror: Mirror, states: Sequence[StreamState], clock: Clock) -> Mapping[int, int]:
    """Seal streams while there is time and return up to which byte each is.

    What fails stops no pass: the bytes stay as they were and the next one tries again; `quoth doctor` tells of damage.
    """
    ranks = {_name(state): state.stream.rank for state in states}
    begun, sealed = clock.now(), dict[int, int]()
    for start in range(0, len(states), _TOGETHER):
        names = list(ranks)[start : start + _TOGETHER]
        with suppress(StoreFailed):
            sealed |= {ranks[name]: size for name, size in mirror.seal(names, at_least=_WORTH).items()}
        if clock.now() - begun >= _TIME:
            break
    return sealed


def _unsealed(state: StreamState) -> int:
    return state.progress.offset - state.sealed


def _rests(state: StreamState, now: int) -> bool:
    signature = state.progress.signature
    return signature is not None and _is_old(signature, now)


def _is_old(signature: Signature, now: int) -> bool:
    return now - signature.mtime_ns // 1_000_000 >= _REST


def _name(state: StreamState) -> str:
    stream = state.stream
    return mirror_name(stream.source, stream.root, stream.key, stream.generation)
