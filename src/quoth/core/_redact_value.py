"""Whether a value looks like a secret, or like code, a path, a word or an example."""

from __future__ import annotations

import re
from typing import Final

from quoth.core._forms import Form

_EXAMPLE: Final = Form(
    r"example|placeholder|change[_-]?me|dummy|redacted|your[_-]|[_-]your|replace[_-]|insert[_-]|x{4,}|\*{3}|•{3}|\.{3}|…"
    r"|SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",  # the signature of the token that every page on JWT shows
    re.IGNORECASE,
)
_STAND_INS: Final = (
    r"[$%#]?\{.*|\{\{.*|<.*|\[.*|\$\(.*|%[sdrv]|%\(?\w+\)?s?%?|[@!]\w+",  # a template fills it in
    r"\$[a-z_]\w*",  # a variable
    r"(?:my|your|some|any|the|old|new|fake|test|sample|our)[_-].*",
    r"(?:pass(?:word|wd|phrase)?|pwd|pw|secret|token|key|credential|value|string|str|text|char|bytes|(?:user)?name|user)s?\d?",
    r"true|false|none|null|nil|undefined|required|optional|hidden|removed|masked|empty|missing|unset|unknown|todo|tbd|n/?a|test",
    r"(?:in)?valid|(?:in)?correct|wrong|mismatch|weak|strong|expired",
    r"(?:env|file|vault|arn|ref|op|sha\d+|md5|h1):.*|sha\d+-.*|[a-z][a-z0-9+.-]{1,30}://.*",  # where it is, or a hash
    r"(?:\.{0,2}/|~/|[a-z]:\\).*",  # a path
    r"\$(?:2[abxy]|argon2\w*|[156y]|pbkdf2[\w-]*|scrypt)\$.*|\{s?(?:sha|md5|crypt).*|pbkdf2[_:].*|scrypt:.*",  # a hash
    r"\d{4}-\d\d-\d\d.*|[\d.,:/%-]{1,5}",  # a date, a count
)
_STAND_IN: Final = Form("|".join(_STAND_INS), re.IGNORECASE | re.DOTALL)
_TERM: Final = Form(
    r"base\d\d|utf-?\d+|sha-?\d+|md5|oauth2?|argon2\w*|bcrypt|pbkdf2|x509|ed25519|[rh]s256|[2m]fa|v\d+|\d{1,8}|s3|ec2|k8s|i18n",
    re.IGNORECASE,
)
_LETTERS: Final = Form(r"[A-Z]?[^\W\dA-Z_]+|[A-Z]+|(?:[A-Z]?[^\W\dA-Z_]{2,}){2,}")  # word, Word, WORD, wordWord
_NAME: Final = Form(r"(?:[A-Z]?[a-z]+|[A-Z]+|(?:[A-Z]?[a-z]{2,}){2,})\d{1,4}")
_SEPARATORS: Final = Form(r"[-_./\\:,@ ]+")
_MIXED: Final = Form(r"[^\W\d_]\S*\d|\d\S*[^\W\d_]|\w[!@#$%^&*+=~]+\w")
_CASES: Final = Form("[a-z][A-Z]")
_PIECES: Final = Form("[A-Z]?[a-z]{2,}|[A-Z]{2,}|[A-Za-z]|[0-9]+|[^A-Za-z0-9._:-]")
_SIGN: Final = Form("[!#$%&*^~+?]")
_SHORTEST_WORDS: Final = 3.3  # letters in a row, at the mean, of what is words and numbers
_LONGEST_PIECE: Final = 2.6  # letters in a row, at the mean, of what has no words in it
_END_OF_SENTENCE: Final = ".,;:!?)"


def is_example(value: str) -> bool:
    """Say whether a value is one that documentation shows: an example, dots, the same few characters."""
    return bool(_EXAMPLE.search(value)) or len(set(value[-16:])) < 5


def is_stand_in(value: str) -> bool:
    """Say whether a value stands for a secret, or is none: a variable, a type, a path, a hash, an example."""
    return not value or bool(_STAND_IN.fullmatch(value) or _EXAMPLE.search(value)) or value == value[0] * len(value)


def is_password(value: str, *, said_plainly: bool) -> bool:
    """Judge what follows the name of a password; `said_plainly` is `password=…`, which no prose has."""
    if is_stand_in(value):
        return False
    if said_plainly:
        return len(value) >= 4 and not _is_reference(value)
    is_mixed = _is_mixed(value) or (len(value) >= 8 and " " not in value and bool(_CASES.search(value)))
    is_number = value.isdecimal() and len(value) >= 6
    return is_number or (len(value) >= 5 and is_mixed and not _are_words(value, names=" " in value))


def is_key(value: str, *, least: int) -> bool:
    """Judge what follows the name of a key or token: long, letters and digits, not made of words."""
    if len(value) < least or is_stand_in(value) or is_example(value) or _are_words(value, names=True):
        return False
    if value.isalnum() and _is_identifier(value):
        return False
    has_both = bool(re.search("[0-9]", value) and re.search("[A-Za-z]", value))
    return " " not in value and (has_both or len(_CASES.findall(value)) >= 3)


def _is_identifier(value: str) -> bool:
    """Say whether a word is put together of words and numbers: `Ed25519PrivateKey`."""
    has_cases = bool(re.search("[a-z]", value) and re.search("[A-Z]", value))
    return has_cases and len(value) >= _SHORTEST_WORDS * len(_PIECES.findall(value))


def is_random(value: str, *, least: int) -> bool:
    """Say whether a word of a sentence can only be a secret: letters, digits and signs in no order that has a sense."""
    if not least <= len(value) <= 200 or is_stand_in(value) or is_example(value) or _are_words(value, names=True):
        return False
    if not re.search("[0-9]", value) or "=" in value[:-2] or "::" in value or re.search(r"@[\w-]+\.", value):
        return False
    signs = _SIGN.findall(value)
    if len(value) < 24 and signs and value[-1:] != "%" and re.search("[A-Za-z]{2}", value):
        return len(signs) <= 4
    has_cases = bool(re.search("[a-z]", value) and re.search("[A-Z]", value))
    return has_cases and len(value) <= _LONGEST_PIECE * len(_PIECES.findall(value))


def _is_mixed(value: str) -> bool:
    return any(_MIXED.search(word.rstrip(_END_OF_SENTENCE)) for word in value.split())


def _are_words(value: str, *, names: bool) -> bool:
    """Say whether a value is made of words; with `names`, words may end in a number, as hosts and variables do."""
    parts = (part for part in _SEPARATORS.split(value.rstrip(_END_OF_SENTENCE)) if part)
    return all(_LETTERS.fullmatch(part) or _TERM.fullmatch(part) or (names and _NAME.fullmatch(part)) for part in parts)


def _is_reference(value: str) -> bool:
    """Say whether a value names something in code: `settings.db_password`, `raw_password`."""
    return bool(re.fullmatch(r"[A-Za-z_]+(?:\.[A-Za-z_]+)+|[a-z]+(?:_[a-z]+)+|[A-Z]+(?:_[A-Z]+)+", value))
