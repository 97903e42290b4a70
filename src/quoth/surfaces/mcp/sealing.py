"""Seal what a call wants to remember between two requests of a stateless client, and open it once.

A seal is URL-safe base64 of an HMAC-SHA256 and the JSON it covers: the state, an expiry, a number used once, and a hash
of what the state belongs to (who asks, which method, which tool, which arguments). The client can read it and change
nothing. The key lives as long as the process, so that a restart ends what was open.
"""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from quoth.surfaces.mcp.protocol import InvalidParams

if TYPE_CHECKING:
    from quoth.core.model import Json

_LIFE = 600  # seconds
_MAC = 32  # bytes


class Seal:
    """Seals and opens states. `now` gives seconds that never go back, `random` unpredictable bytes."""

    def __init__(self, *, now: Callable[[], float], random: Callable[[int], bytes]) -> None:
        self._key = random(32)
        self._now = now
        self._random = random
        self._spent: dict[str, float] = {}
        self._lock = threading.Lock()

    def close(self, state: Json, *, belongs_to: Json) -> str:
        """Return the sealed state for the client to bring back."""
        body = {
            "state": state,
            "until": self._now() + _LIFE,
            "once": self._random(16).hex(),
            "to": _hash(belongs_to),
        }
        data = json.dumps(body, sort_keys=True).encode()
        return base64.urlsafe_b64encode(self._mac(data) + data).decode()

    def open(self, sealed: Json, *, belongs_to: Json) -> Json:
        """Return the state that was sealed for this very request.

        Raises:
            InvalidParams: it was changed, is too old, belongs elsewhere, or was brought before.
        """
        body = self._read(sealed)
        once, until = str(body.get("once")), body.get("until")
        if body.get("to") != _hash(belongs_to) or not isinstance(until, float) or until < self._now():
            raise _refusal()
        self._spend(once, until)
        return body.get("state")

    def _read(self, sealed: Json) -> Mapping[str, Json]:
        import hmac

        try:
            data = base64.b64decode(sealed.encode() if isinstance(sealed, str) else b"", altchars=b"-_", validate=True)
        except ValueError:
            raise _refusal() from None
        if not hmac.compare_digest(data[:_MAC], self._mac(data[_MAC:])):
            raise _refusal()
        body: Mapping[str, Json] = json.loads(data[_MAC:])
        return body

    def _mac(self, data: bytes) -> bytes:
        import hmac

        return hmac.digest(self._key, data, "sha256")

    def _spend(self, once: str, until: float) -> None:
        with self._lock:
            now = self._now()
            self._spent = {each: end for each, end in self._spent.items() if end >= now}
            if once in self._spent:
                raise _refusal()
            self._spent[once] = until


def _hash(value: Json) -> str:
    import hashlib

    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def _refusal() -> InvalidParams:
    return InvalidParams("Invalid or expired requestState")
