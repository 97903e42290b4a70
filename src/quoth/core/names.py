"""Name files of the home so that every system can store them, and print paths that are no valid text."""

from __future__ import annotations

import hashlib
import re

# Not portable: control characters, the characters Windows refuses, `%` itself, and a dot or space at the end.
_UNPORTABLE = re.compile(r'[\x00-\x1f\x7f<>:"\\|?*%]|[. ]$')
_RESERVED = re.compile(r"(?i)^(con|prn|aux|nul|com\d|lpt\d)(\.|$)")
_SUFFIX = re.compile(r"(?i)\.(zst|tail|g\d+)$")
_LONGEST = 200  # bytes; file systems take 255, and suffixes are added


def _escape(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode("utf-8", "surrogateescape"))


def portable_part(part: str) -> str:
    """Return a file name that every system takes; different parts give different names.

    A part that is unportable, over 200 bytes, or ends like one of our own suffixes is percent-encoded, cut, and ended
    by 8 hex digits of its hash.
    """
    escaped = "".join(c if c.isprintable() else _escape(c) for c in _UNPORTABLE.sub(lambda m: _escape(m.group()), part))
    odd = part in {"", ".", ".."} or _RESERVED.match(part) or _SUFFIX.search(part)
    if escaped == part and not odd and len(part.encode()) <= _LONGEST:
        return part
    digest = hashlib.sha256(part.encode("utf-8", "surrogateescape")).hexdigest()[:8]
    cut = escaped.encode("utf-8", "surrogateescape")[: _LONGEST - 9].decode("utf-8", "ignore")
    return f"{re.sub(r'%[0-9A-F]?$', '', cut)}-{digest}"


def root_name(path: str) -> str:
    """Name a root in the mirror: its last part and 8 hex digits of the hash of its whole path."""
    digest = hashlib.sha256(path.encode("utf-8", "surrogateescape")).hexdigest()[:8]
    last = re.split(r"[/\\]", path.rstrip("/\\"))[-1].lstrip(".") or "root"
    return f"{portable_part(last)}-{digest}"


def mirror_name(source: str, root: str, key: str, generation: int) -> str:
    """Return the name of a stream below the home, without `.zst` or `.tail`: `raw/<source>/<root>/<key>[.gN]`."""
    parts = [portable_part(part) for part in key.split("/")]
    suffix = f".g{generation}" if generation > 1 else ""
    return f"raw/{source}/{root}/{'/'.join(parts)}{suffix}"


def printable_path(path: str) -> str:
    """Return a path as valid Unicode: bytes that are no UTF-8 (surrogates, as `os.fsdecode` gives them) become %XX."""
    if path.isascii():
        return path
    return re.sub(
        r"[\ud800-\udfff]", lambda m: _escape(m.group()) if "\udc80" <= m.group() <= "\udcff" else "%3F", path
    )


def log_path(path: object, *, compressed: bool) -> str:
    """Return the path a log is known by: printable, and without the suffix of compression."""
    printable = printable_path(str(path))
    return printable.removesuffix(".zst") if compressed else printable
