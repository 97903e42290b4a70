"""Make text from logs harmless before it reaches a terminal or a pipe (SEC-2).

A log may hold anything: sequences that move the cursor, set the clipboard or the title, reverse the reading order, or
hide characters. What acts instead of being read is shown as what it is: ESC as `␛`, the rest as `\\x9b` or `\\u202e`.
"""

from __future__ import annotations

import re
import unicodedata

_ACTS = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})  # controls, formats, surrogates, line and paragraph separators
_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")  # drawn as nothing
_JOINER = re.compile("(?<![^\x00-\x7f])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\x7f])")  # joins nothing: it only hides
_SELECTORS = re.compile("(?<=[\ufe00-\ufe0f\U000e0100-\U000e01ef])[\ufe00-\ufe0f\U000e0100-\U000e01ef]+")
_SUSPECT = re.compile(
    "[\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0]"
)
_IN_JSON = re.compile(
    "[\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)


def harmless(text: str) -> str:
    """Return text that only shows itself; line feeds and tabs stay."""
    text = text.replace("\r\n", "\n")
    if text.isprintable() and not _SUSPECT.search(text):
        return text
    text = _SELECTORS.sub(lambda match: "".join(map(_shown, match.group())), text)
    text = _JOINER.sub(lambda match: _shown(match.group()), text)
    return "".join(_shown(c) if _acts(c) else c for c in text)


def one_line(text: str) -> str:
    """Return harmless text on one line, with runs of white space as one space."""
    return " ".join(harmless(text).split())


def harmless_json(text: str) -> str:
    """Escape, in a JSON document, what JSON allows raw but a terminal may act on."""
    return _IN_JSON.sub(lambda match: _escaped(match.group()), text)


def _acts(char: str) -> bool:
    if char in "\n\t\u200c\u200d":  # lone joiners are escaped already; the others join emoji and letters
        return False
    return char in _UNSEEN or (not char.isprintable() and unicodedata.category(char) in _ACTS)


def _shown(char: str) -> str:
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _escaped(char: str) -> str:
    """Write a character as JSON does: two escapes above U+FFFF."""
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{int.from_bytes(units[i : i + 2], 'big'):04x}" for i in range(0, len(units), 2))
