"""Text as search sees it: folded, and cut into the tokens that every engine indexes (docs/decisions/0005-tokens.md).

What this module does to a text is frozen with the schema of the index: a change here is a new schema.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import add
from unicodedata import is_normalized, normalize

from quoth.core.han import SIMPLIFIED, TRADITIONAL

# Han, kana, hangul, and the scripts that are written without spaces (Thai, Lao, Myanmar, Khmer).
CJK = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u2fdf\u3005\u3007\u3021-\u3029\u3040-\u30ff\u3100-\u312f"
    "\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)

# Combining marks belong to the word they stand in; `\w` leaves them out. Letters between them are in the ranges too.
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0711-\u07f3\u07fd\u0816-\u082d\u0859-\u085b\u0898-\u08e1\u08e3-\u0963"
    "\u0981-\u09e3\u09fe-\u0a75\u0a81-\u0ae3\u0afa-\u0b63\u0b82-\u0bd7\u0c00-\u0c63\u0c81-\u0c83\u0cbc-\u0d4d\u0d57-\u0d63"
    "\u0d81-\u0df3\u0e31-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ecd\u0f18-\u0f19\u0f35\u0f37\u0f39\u0f3e-\u0f84\u0f86-\u0fbc\u0fc6"
    "\u102b-\u103e\u1056-\u109d\u135d-\u135f\u1712-\u1734\u1752-\u17d3\u17dd\u180b-\u180d\u180f-\u193b\u1a17-\u1a1b"
    "\u1a55-\u1a7f\u1ab0-\u1b44\u1b6b-\u1b73\u1b80-\u1bf3\u1c24-\u1c37\u1cd0-\u1cd2\u1cd4-\u1dff\u20d0-\u20f0\u2cef-\u2cf1"
    "\u2d7f-\u2dff\u302a-\u302f\u3099-\u309a\ua66f-\ua672\ua674-\ua67d\ua69e-\ua6f1\ua802-\ua827\ua82c\ua880-\ua8c5"
    "\ua8e0-\ua8f1\ua8ff-\ua92d\ua947-\ua953\ua980-\ua9c0\ua9e5-\uaa4d\uaa7b-\uaac1\uaaeb-\uaaef\uaaf5-\uaaf6\uabe3-\uabea"
    "\uabec-\uabed\ufb1e\ufe20-\ufe2f\U000101fd-\U0001037a\U00010a01-\U00010a3f\U00010ae5-\U00010ae6\U00010d24-\U00010eac"
    "\U00010f46-\U00010f50\U00010f82-\U00010f85\U00011000-\U00011046\U00011070-\U000110ba\U000110c2\U00011100-\U00011134"
    "\U00011145-\U00011173\U00011180-\U000111c0\U000111c9-\U000111cc\U000111ce-\U000111cf\U0001122c-\U00011237\U0001123e"
    "\U000112df-\U00011446\U0001145e-\U000114c3\U000115af-\U000115c0\U000115dc-\U00011640\U000116ab-\U000116b7"
    "\U0001171d-\U0001172b\U0001182c-\U0001183a\U00011930-\U00011943\U000119d1-\U000119e0\U000119e4-\U00011a3e"
    "\U00011a47-\U00011a99\U00011c2f-\U00011c3f\U00011c92-\U00011ef6\U00016af0-\U00016af4\U00016b30-\U00016b36"
    "\U00016f4f-\U00016f92\U00016fe4-\U00016ff1\U0001bc9d-\U0001bc9e\U0001cf00-\U0001cf46\U0001d165-\U0001d169"
    "\U0001d16d-\U0001d172\U0001d17b-\U0001d182\U0001d185-\U0001d18b\U0001d1aa-\U0001d1ad\U0001d242-\U0001d244"
    "\U0001da00-\U0001da36\U0001da3b-\U0001da6c\U0001da75\U0001da84\U0001da9b-\U0001daaf\U0001e000-\U0001e136"
    "\U0001e2ae-\U0001e2ef\U0001e8d0-\U0001e94a"
)

# Characters that are not seen (soft hyphen, zero width, variation selectors): Unicode's own folding drops them.
_UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff0-\ufff8"
)
_UNSEEN_BEYOND = "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"

# Stands where a camelCase word parts; no separator between words, so it never leaves this module.
JOINT = "\x01"

# Ends the identifiers of the second list, so that no phrase reaches from one into the next. No token of a text has it.
BORDER = "¶"

# Symbols that stand for letters (℃, №, ㎏, ㈱): they are spelled out before separators are looked for.
_SPELLED_OUT = (
    "\u20a8\u2100-\u2103\u2105-\u2106\u2109\u2116\u2120-\u2122\u213b\u249c-\u24e9\u2e9f\u2ef3-\u2fd5\u3196-\u319f"
    "\u3200-\u327e\u328a-\u33ff\ufdfc\U0001f110-\U0001f12e\U0001f130-\U0001f14f\U0001f16a-\U0001f16c\U0001f190"
    "\U0001f200-\U0001f251"
)

_TABLE = str.maketrans(TRADITIONAL, SIMPLIFIED)
_FIRST_PLANE = "".join(character for character in TRADITIONAL if character <= "\uffff")
# Beyond the first plane one range stands for all: a class would try its single characters there one by one.
_REPLACED = re.compile(f"[{_UNSEEN}{_FIRST_PLANE}\U00010000-\U0010ffff]")
_DROPPED = re.compile(f"[{_UNSEEN}{_UNSEEN_BEYOND}]+")
_UPPER, _LOWER = "A-ZÀ-ÖØ-ÞА-ЯΑ-Ω", "a-zß-öø-ÿа-яα-ω"
# getUserName parts at U and N, HTTPServer at S, utf8Decode at D, Base64URL at U; APIs, 2D and 3F9A stay whole.
_CAMEL = re.compile(
    rf"[{_UPPER}](?:(?<=[{_LOWER}][{_UPPER}])|(?<=[0-9][{_UPPER}])(?=[{_LOWER}{_UPPER}])"
    rf"|(?<=[{_UPPER}][{_UPPER}])(?=[{_LOWER}])(?!s(?![{_LOWER}{_UPPER}0-9])))"
)
_CHUNK_END = re.compile(r"[,;\"'`|]+")
_SEPARATOR = re.compile(rf"[^\w\x00-\x7f{_MARKS}{_SPELLED_OUT}{_UNSEEN}{_UNSEEN_BEYOND}]+")
_CJK_RUN = re.compile(f"[{CJK}]+")
_PART = re.compile(f"[{CJK}]+|[^\x00-/:-`{{-\x7f{CJK}]+")
_CASED_PART = re.compile(f"[{CJK}]+|[^\x00-/:-@[-`{{-\x7f{CJK}]+")
_MARK = re.compile(f"[{_MARKS}]")
# Vowels and finals of hangul and voicing marks of half-width kana join what stands before them without being marks.
_CLUSTER = re.compile(f".[{_MARKS}{_UNSEEN}\u1160-\u11ff\ud7b0-\ud7ff\uff9e\uff9f]*", re.DOTALL)
_TOKEN = re.compile("[^\x00-/:-`{-\x7f]+")
_WORD = f"[^\x00\x02-/:-`{{-\x7f{CJK}]+"
_UNIT = re.compile(f"[{CJK}]|{_WORD}")
_LETTERS = b"abcdefghijklmnopqrstuvwxyz0123456789"
_BLOCK = re.compile(f".{{1,400}}(?:(?<={_WORD[:-1]}){_WORD})?", re.DOTALL)


def fold(text: str) -> str:
    """Return the text in one spelling: width, case, traditional and simplified, ё and е."""
    return text.lower() if text.isascii() else _lowered(_unified(text))


def mark(text: str) -> str:
    """Return the folded text with a JOINT where a camelCase word parts, and its separators in ASCII."""
    if JOINT in text:
        text = text.replace(JOINT, " ")
    if text.isascii():
        return _parted(text).lower()
    plain = _SEPARATOR.sub(" ", text)
    unified = _unified(plain)
    marked = _lowered(_parted(unified))
    return marked if unified is plain else _SEPARATOR.sub(" ", marked)


def _parted(text: str) -> str:
    return _CAMEL.sub(lambda upper: JOINT + upper[0], text)


def spell(marked: str) -> tuple[str, str]:
    """Return what to index of a marked text: all words by their parts, and the identifiers with camelCase words whole.

    Tokens stand between ASCII characters that are no letters or digits. A token of the second list is found beside its
    neighbours, as in `用SQLite数据库`, because everything up to the next space, comma or quote stays with it.
    """
    if JOINT not in marked:
        return _spelled(marked), ""
    chunks = [chunk for word in marked.split() if JOINT in word for chunk in _CHUNK_END.split(word) if JOINT in chunk]
    joined = _spelled("\n".join(chunks).replace(JOINT, ""))
    return _spelled(marked.replace(JOINT, " ")), joined.replace("\n", f" {BORDER} ")


def tokens(text: str) -> tuple[list[str], list[str]]:
    """Return the tokens of a text by parts, and those of its identifiers with camelCase words whole."""
    parts, joined = spell(mark(text))
    return _TOKEN.findall(parts), _whole(joined)


def count(spelled: str) -> int:
    """Count the tokens of a text as `spell` gives it."""
    return len(_TOKEN.findall(spelled))


def identifiers(marked: str) -> list[str]:
    """Return the tokens of the identifiers of a marked text, with camelCase words whole."""
    return _whole(spell(marked)[1])


def _whole(joined: str) -> list[str]:
    return [token for token in _TOKEN.findall(joined) if token != BORDER]


def parts(marked: str) -> list[str]:
    """Return the words and the CJK runs of a marked text, in order."""
    return _PART.findall(marked)


def bigrams(run: str) -> list[str]:
    """Return the pairs of neighbours in a CJK run."""
    return list(map(add, run, run[1:]))


def pieces(marked: str, *, most: int, overlap: int) -> Iterator[str]:
    """Cut a marked text into pieces of at most `most` tokens that share at least `overlap`, never inside a word.

    A single word of more parts than that stays whole.
    """
    if len(marked) <= most or _bound(marked) <= most or _size(marked) <= most:  # a character is at most one token
        yield marked
        return
    piece: list[tuple[str, int]] = []
    for block in _BLOCK.findall(marked):
        size = _size(block)
        if piece and size + sum(held for _, held in piece) > most:
            yield "".join(held for held, _ in piece)
            piece = _end(piece, overlap)
        piece.append((block, size))
    yield "".join(held for held, _ in piece)


def _bound(marked: str) -> int:
    """Return a number of tokens that a text can't exceed, in a fraction of the time of counting them."""
    return len(marked.encode().translate(None, _LETTERS)) + 1 if marked.isascii() else len(marked)


def _size(marked: str) -> int:
    """Count tokens; a camelCase word has one for each part."""
    return len(_UNIT.findall(marked)) + marked.count(JOINT)


def _end(piece: list[tuple[str, int]], wanted: int) -> list[tuple[str, int]]:
    """Return the last blocks that have the wanted number of tokens together."""
    held = 0
    for place in range(len(piece) - 1, 0, -1):
        held += piece[place][1]
        if held >= wanted:
            return piece[place:]
    return piece[:0]


def unify(text: str) -> str:
    """Return the text with one spelling but its own case: NFKC, nothing unseen, simplified."""
    return text if text.isascii() else _unified(text)


# --- where tokens stand, for showing them ---


def clusters(text: str) -> Iterator[re.Match[str]]:
    """Yield the characters of a text, each with what normalising joins to it."""
    return _CLUSTER.finditer(text)


def joints(unified: str) -> list[int]:
    """Return where camelCase words part in a unified text."""
    return [upper.start() for upper in _CAMEL.finditer(unified)]


def spans(unified: str) -> Iterator[tuple[int, int, bool]]:
    """Yield where words and CJK runs stand in a unified text, and which of both it is."""
    parts = _CASED_PART.finditer(without_separators(unified))
    return ((part.start(), part.end(), bool(_CJK_RUN.match(part[0]))) for part in parts)


def without_separators(text: str) -> str:
    """Return the text with each separator outside ASCII replaced by a space."""
    return text if text.isascii() else _SEPARATOR.sub(lambda separator: " " * len(separator[0]), text)


def is_normal(text: str) -> bool:
    """Tell whether normalising changes nothing."""
    return is_normalized("NFKC", text)


def is_mark(character: str) -> bool:
    return bool(_MARK.match(character))


def _unified(text: str) -> str:
    text = _normal(text).replace("ё", "е").replace("Ё", "Е")
    if _REPLACED.search(text) is None:
        return text
    return _normal(_DROPPED.sub("", text).translate(_TABLE))


def _lowered(text: str) -> str:
    folded = text.casefold()
    if is_normalized("NFKC", folded):
        return folded
    return normalize("NFKC", normalize("NFKC", folded).casefold())  # normalising can bring capitals back


def _normal(text: str) -> str:
    return text if is_normalized("NFKC", text) else normalize("NFKC", text)


def _spelled(folded: str) -> str:
    if folded.isascii():
        return folded
    return _CJK_RUN.sub(_bigram_run, folded)


def _bigram_run(match: re.Match[str]) -> str:
    run = match[0]
    return f" {' '.join(map(add, run, run[1:] + ' '))}"
