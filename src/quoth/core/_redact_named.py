"""Secrets that a name or a place betrays: assignments, headers, addresses with a password, options of commands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from quoth.core._redact_span import Span
from quoth.core._redact_value import is_example, is_key, is_password, is_stand_in

_PASSWORDS: Final = (
    r"passwords?|passwd|passphrase|pass[_-]?code|pwd|(?<![a-z])pass|пароль|密码|密碼|パスワード|비밀번호"
)
_KEYS: Final = (
    r"(?:api|access|account|auth|secret|private|encryption|signing|master|service|license|shared[_-]?access|role|hmac|aes"
    r"|deploy|client|admin|subscription|function|webhook|app|publish)[_-]?key|secret|token|credentials?"
    r"|bearer(?=\\{0,4}[\"'`])|connection[_-]?string|(?<=[a-z0-9]_)key(?==)|密钥|密鑰|令牌|секрет|токен"
)
_TAIL: Final = (
    r"(?:[_-]?(?:key|base|value|string|prod|production|dev|test|staging|old|new|current|previous|live|admin|root|user|[0-9]))"
    r"{0,3}"
)
_ASSIGNED: Final = re.compile(
    rf"(?:(?P<password>{_PASSWORDS})|(?P<key>{_KEYS})){_TAIL}(?![A-Za-z0-9_])"
    r"(?P<quote>\\{0,4}[\"'`])?\]?(?:\s{0,2}:\s{0,2}(?:Optional\[)?(?:str|string|&str|SecretStr|String)\]?(?:\s\|\sNone)?(?=\s{0,2}=))?"
    r"(?P<by>\s{0,4}(?:=>|:=|[=:：＝]|>)\s{0,4})",
    re.IGNORECASE,
)
# Names of tokens that are no secrets: they say where to go on, or belong to a language model.
_OTHER: Final = re.compile(
    r"(?:page|next|prev|cursor|continuation|csrf|xsrf|sync|public|special|design|idempotency|hash(?:ed)?"
    r"|(?<![a-z])(?:[ebp]os|pad|unk|sep|mask|per))[_-]?$",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile(r"[fbru]?(?P<q>\\{0,4}[\"'`])(?P<value>(?:\\[^\n\"'`]|(?!(?P=q))[^\n\\]){0,400}+)(?P=q)")
_BARE: Final = re.compile(r"(?:[fbru]?\\{0,4}[\"'`])?(?P<value>[^\s\"'`,;&<>(){}\[\]\\|（），。；、]{1,200}+)")
_MORE: Final = re.compile(r"[^\s\"'`,;&<>(){}\[\]\\|（），。；、]*+")
_LOOKS_BACK: Final = 24

_CREDENTIAL: Final = r"(?P<value>[A-Za-z0-9._~+/=%-]{12,}+)"
_BEARER: Final = re.compile(rf"bearer[ \t:=]{{1,3}}{_CREDENTIAL}", re.IGNORECASE)
_HEADER: Final = re.compile(
    r"authorization\\{0,4}[\"']?\s{0,2}[:=,]\s{0,2}\\{0,4}[\"']?(?P<scheme>(?:basic|token|apikey|digest)\s{1,3})?"
    rf"{_CREDENTIAL}",
    re.IGNORECASE,
)
_OPTIONS: Final = re.compile(
    r"--?(?:password|passwd|pass|token|secret|api-?key|auth-token|access-token)[ ][\"']?(?P<value>[^\s\"'`<>]{5,400}+)"
    r"|sshpass -p ?[\"']?(?P<ssh>[^\s\"']{4,200}+)"
    r"|(?:curl|wget|http)\b[^\n|;]{0,200}?\s(?:-u|--user) ?[\"']?[^\s:\"']{1,100}:(?P<login>[^\s\"']{3,200}+)",
)
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,30}$")
_LOGIN: Final = re.compile(
    r"(?P<user>[^\s/:@\"'`<>\\|]{0,128}+):(?P<password>[^\s/\"'`<>\\|]{1,256})@(?P<host>[^\s/:\"'`<>\\,]{1,256})"
)
_LOCAL: Final = re.compile(
    r"localhost|127\.0\.0\.1|\[?::1\]?|0\.0\.0\.0|.*\bexample\.(?:com|org|net)|host|db|postgres|redis", re.I
)

_ASSIGNMENTS: Final = (
    *("pass", "pwd", "secret", "token", "key", "credential", "bearer", "string"),
    *("пароль", "секрет", "токен", "密码", "密碼", "密钥", "密鑰", "令牌", "パスワード", "비밀번호"),
)


def named(text: str) -> Iterator[Span]:
    """Find secrets by what stands before them."""
    if "://" in text:
        yield from _logins(text)
    folded = text.lower()
    if "bearer" in folded or "authorization" in folded:
        yield from _authorized(text)
    if "-p" in folded or "--" in folded or "-u" in folded:
        yield from _options(text)
    if any(word in folded for word in _ASSIGNMENTS):
        yield from _assigned(text)


def _logins(text: str) -> Iterator[Span]:
    at = text.find("://")
    while at >= 0:
        match = _LOGIN.match(text, at + 3) if _SCHEME.search(text, max(0, at - 32), at) else None
        if match and _is_login(match["user"], match["password"], match["host"]):
            yield Span(match.start("user"), match.end("password"), "connection_string")
        at = text.find("://", at + 3)


def _is_login(user: str, password: str, host: str) -> bool:
    if is_stand_in(password) or is_example(password + "_~+-"):
        return False
    return not (_LOCAL.fullmatch(host) and user.lower() == password.lower())


def _authorized(text: str) -> Iterator[Span]:
    for match in _BEARER.finditer(text):
        if is_key(match["value"], least=12):
            yield Span(match.start("value"), match.end("value"), "bearer_token")
    for match in _HEADER.finditer(text):
        value = match["value"]
        if is_key(value, least=16) or (match["scheme"] and len(value) >= 16 and not is_stand_in(value)):
            yield Span(match.start("value"), match.end("value"), "authorization")


def _options(text: str) -> Iterator[Span]:
    for match in _OPTIONS.finditer(text):
        name = match.lastgroup or "value"
        if is_password(match[name], said_plainly=name != "value"):
            yield Span(match.start(name), match.end(name), "password")


def _assigned(text: str) -> Iterator[Span]:
    seen = 0
    for match in _ASSIGNED.finditer(text):
        if match.start() < seen:  # a name within a value that is taken out anyway
            continue
        before = text[max(0, match.start() - _LOOKS_BACK) : match.start()]
        if not _OTHER.search(before) and (span := _value(text, match)):
            seen = span.end
            yield span


def _value(text: str, match: re.Match[str]) -> Span | None:
    at = match.end()
    quoted = _QUOTED.match(text, at)
    found = quoted or _BARE.match(text, at)
    if not found:
        return None
    value, start, end = found["value"], found.start("value"), found.end("value")
    if not quoted and (more := _MORE.match(text, end)):
        end = more.end()
    if not quoted and text[end : end + 1] in {"(", "[", "{"}:  # a call, an item of something
        return None
    if match["password"]:
        plainly = not quoted and not match["quote"] and match["by"] == "=" and text[end : end + 1] not in {",", ")"}
        return Span(start, end, "password") if is_password(value, said_plainly=plainly) else None
    return Span(start, end, "secret") if is_key(value, least=10 if quoted or match["by"] == "=" else 16) else None
