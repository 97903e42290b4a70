"""Secrets that stand apart from their name: in a sentence, in a table of names and values, in a line of settings."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache
from typing import Final

from quoth.core._redact_span import Span, places
from quoth.core._redact_value import is_key, is_password, is_random, is_stand_in

_PASSWORD_NAMES: Final = (
    r"pass(?:words?|wd|phrase|[_-]?code)|\bpwd|\bcreds|credentials|\blogin|парол[а-я]{1,3}|логин|учетк[а-я]|учётк[а-я]"
    r"|доступ[а-я]{0,2}|密码|密碼|口令|账号|帳號|パスワード|비밀번호"
)
_KEY_NAMES: Final = (
    r"(?:api|access|secret|auth|private|signing|encryption|service)[ _-]?key|token|\bsecret|\bapi\b|токен[а-я]{0,2}"
    r"|ключ[а-я]{0,2}|секрет[а-я]{0,2}|密钥|密鑰|令牌"
)
_STARTS: Final = (  # what a name begins with; where it is in the text is found first, because that is quick
    *(
        "pass",
        "pwd",
        "creds",
        "credentials",
        "login",
        "парол",
        "логин",
        "учетк",
        "учётк",
        "доступ",
        "密码",
        "密碼",
        "口令",
    ),
    *(
        "账号",
        "帳號",
        "パスワード",
        "비밀번호",
        "api",
        "access",
        "secret",
        "auth",
        "private",
        "signing",
        "encryption",
        "service",
    ),
    *("token", "токен", "ключ", "секрет", "密钥", "密鑰", "令牌"),
)
_NEAR: Final = 64  # characters behind a name in which a sentence may say the value
_WORDS: Final = 7
_LONGEST: Final = 200
_LETTER: Final = r"[A-Za-z0-9!#$%&*+.:=?@^_~-]"
_NO_SECRET: Final = re.compile(
    r"(?:page|next|prev|cursor|continuation|csrf|xsrf|sync|public|idempotency|hash(?:ed)?|cache)[ _-]?$", re.IGNORECASE
)
_APART: Final = re.compile(r"[.!?;。！？；](?:\s|$)|[。！？；]")
_NAME: Final = (
    r"[\w.:-]{0,60}?(?:password|passwd|passphrase|pwd|pass|secret|token|api[_-]?key|access[_-]?key|private[_-]?key)"
)
_PAIRS: Final = (
    rf"\b(?:name|key|id|option)\\?[\"']?\s{{0,2}}[=:]\s{{0,2}}\\?[\"']{_NAME}\\?[\"'][\s,;]{{1,40}}\\?[\"']?"
    r"(?:value|default|val)\\?[\"']?\s{0,2}[=:]\s{0,2}\\?[\"'](?P<pair>[^\"'\n\\]{4,400})\\?[\"']",
    rf"\bvariable\s{{1,4}}\"{_NAME}[\w-]{{0,20}}\"\s{{0,4}}\{{[^{{}}]{{0,400}}?\bdefault\s{{0,12}}=\s{{0,4}}\"(?P<default>[^\"\n]{{4,400}})\"",
    r"convertto-securestring\s{1,4}(?:-string\s{1,4})?[\"'](?P<secure>[^\"'\n]{4,200})[\"']",
    r"\bprivate[ _-]?key\b[^\n\w]{1,6}(?P<hex>(?:0x)?[0-9a-f]{64})(?![0-9a-f])",
)
_PAIR_WORDS: Final = ("value", "default", "val", "securestring", "private key", "private_key", "private-key")
_DSNS: Final = (
    r"(?<![\w/@:.-])[\w.-]{1,64}:(?P<dsn>[^\s:/@\"'`]{4,128})@(?:tcp|unix|udp)\(",
    r"jdbc:oracle:(?:thin|oci8?):[\w$#]{1,64}/(?P<oracle>[^@\s\"'/]{2,128})@",
    r"\bsqlplus\s{1,4}(?:-\w\s{1,4}){0,3}[\w$#]{1,64}/(?P<sqlplus>[^@\s\"'/]{2,128})@",
    r"(?<![\w:./*-])[\w.*-]{1,100}:(?:\d{4,5}|\*):[\w*-]{1,64}:[\w*.-]{1,64}:(?P<pgpass>[^\s:\"'`]{4,128})(?![^\s\"'`])",
)
_DSN_WORDS: Final = ("@tcp(", "@unix(", "@udp(", "jdbc:oracle:", "sqlplus", ":5432:", ":*:", "pgpass")


def said(text: str) -> Iterator[Span]:
    """Find secrets behind a name with words, or a whole line of settings, between them."""
    folded = text.lower()
    yield from _in_sentences(text)
    if any(word in folded for word in _PAIR_WORDS):
        yield from _matched(text, _compiled(_PAIRS))
    if any(word in folded for word in _DSN_WORDS):
        yield from _matched(text, _compiled(_DSNS))


def _in_sentences(text: str) -> Iterator[Span]:
    names = [name for start in places(text, _STARTS) if (name := _names().match(text, start))]
    near = _Near(text) if names else None
    for name in names:
        if near and not _NO_SECRET.search(text[max(0, name.start() - 16) : name.start()]):
            span = near.secret(name.end(), "password" if name.lastgroup == "password" else "secret")
            if span:
                yield span


class _Near:
    """Finds among the words behind a name the one that nobody would write unless it were a secret."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._words = [word.span() for word in _words().finditer(text)]
        self._judged: dict[tuple[int, str], bool] = {}

    def secret(self, start: int, kind: str) -> Span | None:
        line = self._text.find("\n", start, start + _NEAR)
        end = line if line >= 0 else start + _NEAR
        first = bisect_left(self._words, (start, 0))
        for at in range(first, min(first + _WORDS, len(self._words))):
            begins, ends = self._words[at]
            if begins >= end or _APART.search(self._text, start, begins):
                return None
            if self._is_secret(at, kind):
                return Span(begins, begins + len(self._text[begins:ends].rstrip(".:?")), kind)
        return None

    def _is_secret(self, at: int, kind: str) -> bool:
        if (at, kind) not in self._judged:
            self._judged[at, kind] = self._judge(*self._words[at], kind)
        return self._judged[at, kind]

    def _judge(self, start: int, end: int, kind: str) -> bool:
        if end - start > _LONGEST or _is_of_address(self._text, start, end):
            return False
        value = self._text[start:end].rstrip(".:?")
        if kind == "password":
            return is_random(value, least=8)
        return is_random(value, least=24) and is_key(value, least=24)


def _is_of_address(text: str, start: int, end: int) -> bool:
    """Say whether a word is a part of a path, an address, an expression or a call."""
    around = "/\\([{<|"
    return text[max(0, start - 1) : start] in tuple(around) or text[end : end + 1] in tuple(around)


def _matched(text: str, pattern: re.Pattern[str]) -> Iterator[Span]:
    for match in pattern.finditer(text):
        kind = match.lastgroup or ""
        value = match[kind]
        if _is_secret(value, kind):
            yield Span(match.start(kind), match.end(kind), "private_key" if kind == "hex" else "password")


def _is_secret(value: str, kind: str) -> bool:
    if kind in {"hex", "secure", "dsn", "oracle", "sqlplus"}:
        return not is_stand_in(value)
    return is_password(value, said_plainly=False) or is_key(value, least=12)


@cache
def _names() -> re.Pattern[str]:
    return re.compile(rf"(?P<password>{_PASSWORD_NAMES})|(?P<key>{_KEY_NAMES})", re.IGNORECASE)


@cache
def _words() -> re.Pattern[str]:
    return re.compile(rf"{_LETTER}++")


@cache
def _compiled(forms: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(forms), re.IGNORECASE)
