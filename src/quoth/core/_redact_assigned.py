"""Secrets that a name betrays: `password=…`, `"apiKey": "…"`, `DB_PASS: …`, in code, settings, JSON and prose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from quoth.core._forms import Form
from quoth.core._redact_span import Span, places
from quoth.core._redact_value import is_key, is_password

# What a name ends in, folded; where it is in the text is found first, because that is quick.
_STEMS: Final = (
    *("pass", "pwd", "secret", "token", "key", "credential", "bearer", "string"),
    *("пароль", "секрет", "токен", "ключ", "密码", "密碼", "密钥", "密鑰", "令牌", "パスワード", "비밀번호"),
)
_TAIL: Final = (
    r"(?:[_-]?(?:key|base|value|string|prod|production|dev|test|staging|old|new|current|previous|live|admin|root|user|\d))"
    "{0,3}"
)
_ASSIGNED: Final = Form(
    r"(?:(?P<password>pass(?:words?|wd|phrase|[_-]?code)|pwd|пароль|密码|密碼|パスワード|비밀번호)"
    r"|(?P<pass>pass)|(?P<key>key)|(?P<string>string)"
    r"|secret|token|credentials?|bearer(?=\\{0,4}[\"'`])|ключ(?: api)?|секрет|токен|密钥|密鑰|令牌)"
    rf"{_TAIL}(?![a-z0-9_])"
    r"(?P<quote>\\{0,4}[\"'`])?\]?"
    r"(?:\s{0,2}:\s{0,2}(?:optional\[)?(?:&?str|string|secretstr)\]?(?:\s\|\snone)?(?=\s{0,2}=))?"  # a type
    r"(?P<by>\s{0,4}(?:=>|:=|[=:：＝]|>)\s{0,4}|\s{1,24}value:\s{1,4})",
    re.IGNORECASE,
)
_KEY_OF: Final = Form(
    r"(?:api|access|account|auth|secret|private|encryption|signing|master|service|license|role|hmac|aes|deploy|client|admin"
    r"|subscription|function|webhook|app|publish)(?:[_-]?|(?P<apart> ))$",
    re.IGNORECASE,
)
_VARIABLE: Final = Form("[a-z0-9]_$", re.IGNORECASE)
_EXPORTED: Final = Form(r"(?:^|\s)(?:export|set) $")
_CONNECTION: Final = Form("connection[_-]?$", re.IGNORECASE)
# Names of tokens that are no secrets: they say where to go on, or belong to a language model.
_OTHER: Final = Form(
    r"(?:page|next|prev|cursor|continuation|csrf|xsrf|sync|public|special|design|idempotency|hash(?:ed)?"
    r"|(?<![a-z])(?:[ebp]os|pad|unk|sep|mask|per))[_-]?$",
    re.IGNORECASE,
)
_GROUPS: Final = Form(
    r"[a-z]{4}(?: [a-z]{4}){3}(?![ \t]?\w)"
)  # how an app's password is shown: four times four letters
_QUOTED: Final = Form(r"[fbru]?(?P<q>\\{0,4}[\"'`])(?P<value>(?:\\[^\n\"'`]|(?!(?P=q))[^\n\\]){0,400}+)(?P=q)")
_RUN: Final = r"[^\s\"'`,;&<>(){}\[\]\\|（），。；、]"
_BARE: Final = Form(rf"(?:[fbru]?\\{{0,4}}[\"'`])?(?P<value>{_RUN}{{1,200}}+)")
_MORE: Final = Form(rf"{_RUN}*+")
_LOOKS_BACK: Final = 24


def assigned(text: str) -> Iterator[Span]:
    """Find values that look like secrets behind names that say so."""
    seen, run = 0, _Run(text)
    for start in places(text, _STEMS):
        if start < seen:  # a name within a value that is taken out anyway
            continue
        match = _ASSIGNED.match(text, start)
        if match and _is_named(match, text[max(0, start - _LOOKS_BACK) : start]) and (span := _value(text, match, run)):
            seen = span.end
            yield span


class _Run:
    """Finds where a value without quotes ends; many names may stand in one, and it is walked through once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._start = self._end = 0

    def end(self, start: int) -> int:
        if not self._start <= start < self._end:
            more = _MORE.match(self._text, start)
            self._start, self._end = start, more.end() if more else start
        return self._end


def _is_named(match: re.Match[str], before: str) -> bool:
    if _OTHER.search(before):
        return False
    if match["pass"]:
        return not before[-1:].isalpha() or (match[0][:1] == "P" and before[-1:].islower())
    if match["string"]:
        return bool(_CONNECTION.search(before))
    if not match["key"]:
        return True
    of = _KEY_OF.search(before)
    if of:
        return not of["apart"] or match["by"].strip() in {":", "："}
    return match["by"] == "=" and bool(
        _VARIABLE.search(before) or (match[0].startswith("KEY") and _EXPORTED.search(before))
    )


def _value(text: str, match: re.Match[str], run: _Run) -> Span | None:
    at = match.end()
    if (match["password"] or match["pass"]) and (groups := _GROUPS.match(text, at)):
        return Span(groups.start(), groups.end(), "password")
    quoted = _QUOTED.match(text, at)
    found = quoted or _BARE.match(text, at)
    if not found:
        return None
    value, start = found["value"], found.start("value")
    end = found.end("value") if quoted else run.end(start)
    if not quoted and (value[0] == "-" or text[end : end + 1] in {"(", "[", "{"}):  # a default, a call, an item
        return None
    if match["password"] or match["pass"]:
        return (
            Span(start, end, "password")
            if is_password(value, said_plainly=_plainly(text, match, quoted, end))
            else None
        )
    return Span(start, end, "secret") if is_key(value, least=10 if quoted or match["by"] == "=" else 16) else None


def _plainly(text: str, match: re.Match[str], quoted: re.Match[str] | None, end: int) -> bool:
    """Say whether a value can only be a password: `password=…`, `password='letmein'`, `"password":"letmein"`."""
    if quoted:
        return (
            match["by"] in {"=", ":"}
            and quoted["value"].isascii()
            and quoted["value"].islower()
            and quoted["value"].isalnum()
        )
    return not match["quote"] and match["by"] == "=" and text[end : end + 1] not in {",", ")"}
