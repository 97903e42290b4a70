"""Turn what stands in foreign records into text; what is no text becomes a short mark."""

from __future__ import annotations

import json
import re

import orjson

from quoth.sources._runs import has_run
from quoth.sources._values import Record, inner, text

LONG = 4_096  # characters of one run that are taken for data where a format says what is data
DATA_URL = re.compile(r"data:([\w.+-]{1,60}/[\w.+-]{1,60})?(?:;[\w=.-]{1,60}){0,4};base64,([A-Za-z0-9+/_=-]*+)")
_LONG_RUN = re.compile(rf"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{{{LONG},}}+={{0,2}}")

_BLOB_LENGTH = 10_000  # characters; shorter runs stay, they may be a hash, a key or a long name
# Lines of at least 60 characters that follow one another: a text as `base64` prints it, or one endless line.
_BLOB = re.compile(
    r"(?<![A-Za-z0-9+/_-])(?:[A-Za-z0-9+/_-]{60,}+(?:\r?\n|(?:\\r)?\\n)?+)++(?:[A-Za-z0-9+/_-]{0,59}={1,2})?"
)


def compact(value: object) -> str:
    """Write JSON as agents do: keys in order, no blanks, non-ASCII as it is."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:  # nested beyond what orjson takes
        pass
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except (RecursionError, TypeError, ValueError):
        return "[nested too deeply]"


def without_blobs(words: str) -> str:
    """Replace long runs of base64, which nobody searches for, by a mark; also those that are broken into lines."""
    return _BLOB.sub(_marked, words) if has_run(words, _BLOB_LENGTH + 1) else words


def _marked(found: re.Match[str]) -> str:
    run = found.group()
    return run if len(run) <= _BLOB_LENGTH else f"[data, {size(len(run))}]"


def without_data(words: str) -> str:
    """Replace data that nobody searches for by a mark: inline files and long runs of base64."""
    if ";base64," in words:
        words = DATA_URL.sub(lambda found: f"[{found[1] or 'data'}, {size(len(found[2]))}]", words)
    if not has_run(words, LONG):
        return words
    return _LONG_RUN.sub(lambda found: f"[data, {size(len(found[0]))}]", words)


def mark(block: Record) -> str:
    """Name what is no text by type and size: `[image image/png, 24 KB]`."""
    source = inner(block, "source")
    data = text(source, "data") or text(block, "data")
    media = (text(source, "media_type") or text(block, "mimeType") or text(source, "url"))[:200]
    described = " ".join(filter(None, [text(block, "type")[:40] or "data", media]))
    return f"[{described}, {size(len(data))}]" if data else f"[{described}]"


def size(base64_length: int) -> str:
    """Say how much data so many characters of base64 stand for."""
    return f"{max(1, round(base64_length * 3 / 4 / 1024))} KB"
