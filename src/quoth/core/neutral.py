"""Make words from memory harmless inside a block for a prompt: they are read, and can't pass for our own words (INV-8).

A block is fenced by tags, its headings begin with `#` at the beginning of a line, and an item names its id before it
says anything. So words lose what opens or closes a tag or a fence of code, what is not seen, and every way to begin a
line of their own.
"""

from __future__ import annotations

import re
import unicodedata

from quoth.core.redact import redact

_TAG = re.compile(
    r"[<\uff1c\ufe64](?:(?=\s*[/\uff0f])|(?=\s*quoth))|(?<!\w)[<\uff1c\ufe64](?=[^\W\d]|[!?|])", re.IGNORECASE
)
_FENCE = re.compile(r"`{3,}|~{3,}")
_ACTS = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
_BREAKS = re.compile("\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")


def one_line(text: str) -> str:
    """Return words on one line, without secrets, that only say something."""
    return _line(redact(text).text)


def lines(text: str) -> list[str]:
    """Return the lines of a text, the empty ones left out, each as `one_line` does."""
    found = (_line(line) for line in _BREAKS.split(redact(text).text))
    return [line for line in found if line]


def _line(text: str) -> str:
    """Return one line of a redacted text; what was not seen may have stood inside a secret, so where something was
    taken out it is redacted once more."""
    plain = " ".join(_plain(text).split())
    return plain if plain == text else redact(plain).text


def _plain(text: str) -> str:
    shown = _BREAKS.sub(" ", text).replace("\t", " ")
    if not (shown.isascii() and shown.isprintable()):
        shown = "".join(map(_seen, shown))
    return _FENCE.sub("'''", _TAG.sub("\u2039", shown))


def _seen(character: str) -> str:
    if character.isprintable() and character not in _UNSEEN:
        return character
    return "" if character in _UNSEEN or unicodedata.category(character) in _ACTS else " "
