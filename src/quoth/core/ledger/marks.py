"""HMACs under the key of the person's devices: what can be recognised later and guessed by nobody else."""

from __future__ import annotations

import hashlib
import hmac


def quote_mark(key: bytes, words: str) -> bytes:
    """Mark the exact words of a quote, as they stand in the event."""
    return _mark(key, b"quoth quote 1", words)


def fingerprint(key: bytes, text: str) -> bytes:
    """Mark a text that must be recognised when it comes again: forgotten words, destroyed statements."""
    return _mark(key, b"quoth fingerprint 1", text)


def _mark(key: bytes, purpose: bytes, text: str) -> bytes:
    return hmac.new(key, purpose + b"\0" + text.encode("utf-8", "surrogatepass"), hashlib.sha256).digest()
