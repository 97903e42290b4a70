"""Tell whether words stand in raw lines of a log: what `verify` asks when it trusts neither index nor ledger.

A log writes text as JSON strings, often JSON inside JSON. White space is ignored, because adapters join pieces of a
message by line feeds of their own; so are marks that adapters put in the place of data.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator

_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)', re.DOTALL)  # a torn one too, else this takes its square
# What stands between any two quotation marks: behind a torn record nobody knows which one begins a string.
_BETWEEN = re.compile(r'(?<!\\)(?=("(?:[^"\\]++|\\.)*+(?:"|\\?\Z)))"', re.DOTALL)
_LONE = re.compile("[\ud800-\udfff]")
_MARK = re.compile(r"\[[^\[\]\n]{1,300}, \d+ KB\]")
_WORD = re.compile(r"\w+")
_PACKED = re.compile(r"[A-Za-z0-9+/_-]{24,}+={0,2}")
_DEEPEST = 4  # JSON inside strings inside JSON


def stands_in(words: str, raw: bytes) -> bool:
    """Tell whether the lines hold the words: as one string or several, or, where a reader laid them out anew, each."""
    wanted = _squeezed(words)
    if not wanted:
        return True
    text = raw.decode("utf-8", "replace")
    strings = "\0".join([text, *_strings(text)])
    if wanted in _squeezed(strings):
        return True
    joined = (_decoded(found.group()) for found in _STRING.finditer(text))
    return wanted in _squeezed("".join(joined)) or _has_all(words, strings)


def _has_all(words: str, text: str) -> bool:
    folded = text.casefold()
    return all(word in folded for word in _WORD.findall(_MARK.sub(" ", words).casefold()))


def _squeezed(text: str) -> str:
    return "".join(_LONE.sub("\ufffd", text).split())


def _strings(text: str, depth: int = 0) -> Iterator[str]:
    """Yield every string in a text that is JSON, holds JSON or has some of it."""
    for found in _BETWEEN.finditer(text):
        decoded = _decoded(found.group(1))
        yield decoded
        if depth < _DEEPEST and '"' in decoded:
            yield from _strings(decoded, depth + 1)
        elif _PACKED.fullmatch(decoded):
            yield from _unpacked(decoded)


def _decoded(literal: str) -> str:
    if "\\" not in literal:
        return literal[1:-1]
    try:
        return str(json.loads(literal, strict=False))
    except ValueError:
        return literal[1:-1]


def _unpacked(packed: str) -> Iterator[str]:
    """Yield what rows of a database that are no text hold: they are mirrored as base64."""
    try:
        yield base64.b64decode(packed, altchars=b"-_" if "-" in packed or "_" in packed else None).decode(
            "utf-8", "replace"
        )
    except ValueError:
        return
