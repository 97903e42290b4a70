"""Secrets that their place betrays: headers, addresses with a password, options of commands, cookies, signatures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from quoth.core._forms import Form
from quoth.core._redact_span import Span
from quoth.core._redact_value import is_key, is_password, is_stand_in

_CREDENTIAL: Final = r"(?P<value>[A-Za-z0-9._~+/=%-]{12,}+)"
_BEARER: Final = Form(rf"bearer[ \t:=]{{1,3}}{_CREDENTIAL}", re.IGNORECASE)
_HEADER: Final = Form(
    r"authorization\\{0,4}[\"']?\s{0,2}[:=,]\s{0,2}\\{0,4}[\"']?(?P<scheme>[a-z][a-z0-9-]{1,20}[ \t]{1,3})?"
    rf"{_CREDENTIAL}",
    re.IGNORECASE,
)
_SHOWN: Final = r"[^\s\"'`<>]"
_OPTIONS: Final = Form(
    rf"--?(?:password|passwd|passphrase|http-password|pass|token|secret|api-?key|auth-token|access-token)"
    rf"[ ][\"']?(?P<option>{_SHOWN}{{5,400}}+)"
    rf"|\blogin\s{{1,8}}\S{{1,80}}\s{{1,8}}password\s{{1,8}}(?P<netrc>{_SHOWN}{{4,400}}+)"
    rf"|\b(?:set|add)[ ][\w.]{{0,40}}(?:secret_access_key|password|token|api_key)[ ](?P<set>{_SHOWN}{{5,400}}+)"
    r"|(?:\bwith password|identified by)\s{1,4}(?P<sql>'[^'\n]{4,200}')"
    r"|(?:auth\s?[=:]\s?|basicauth|basic_auth)\(\s?[\"'][^\"'\n]{1,80}[\"'],\s{0,4}[\"'](?P<pair>[^\"'\n]{4,200})[\"']",
    re.IGNORECASE,
)
_COMMANDS: Final = Form(
    rf"sshpass -p ?[\"']?(?P<ssh>{_SHOWN}{{4,200}}+)"
    rf"|(?:curl|wget|http)\b[^\n|;]{{0,200}}?\s(?:-u|--user) ?[\"']?[^\s:\"']{{1,100}}:(?P<login>{_SHOWN}{{3,200}}+)"
    rf"|\bmysql(?:dump|admin)?\b[^\n|;]{{0,80}}?\s-p(?P<mysql>{_SHOWN}{{4,200}}+)"
    rf"|(?:redis-cli\b[^\n|;]{{0,80}}?\s-a|az login\b[^\n|;]{{0,80}}?\s-p|docker login\b[^\n|;]{{0,80}}?\s-p)"
    rf" [\"']?(?P<other>{_SHOWN}{{5,200}}+)"
)
_MORE_COMMANDS: Final = Form(
    r"\b(?:echo|printf)\s{1,3}(?:-n\s{1,3})?[\"']?(?P<piped>[^\s\"'|`<>]{4,200}+)[\"']?\s{0,3}\|\s{0,3}"
    r"(?:sudo\s(?:-\w\s){0,2}-S\b|[^\n|]{0,80}--password-stdin|[^\n|]{0,20}(?:passwd --stdin|chpasswd|cryptsetup))"
    rf"|\bnet use\s[^\n]{{0,100}}?/user:\S{{1,80}}\s{{1,3}}(?P<share>(?!/){_SHOWN}{{4,200}}+)"
    rf"|\bsmbclient\b[^\n|;]{{0,100}}?\s-U\s?[^\s%]{{1,80}}%(?P<smb>{_SHOWN}{{4,200}}+)"
    rf"|\b(?:sqlcmd|unzip|zip)\b[^\n|;]{{0,120}}?\s-P\s?[\"']?(?P<upper>{_SHOWN}{{4,200}}+)"
    rf"|\b7z\b[^\n|;]{{0,120}}?\s-p(?P<packed>{_SHOWN}{{4,200}}+)"
    rf"|\bldap\w{{3,12}}\b[^\n|;]{{0,160}}?\s-w\s?[\"']?(?P<ldap>{_SHOWN}{{4,200}}+)"
    rf"|\bhtpasswd\s-\w{{0,4}}b\w{{0,4}}\s{{1,3}}\S{{1,120}}\s{{1,3}}\S{{1,80}}\s{{1,3}}[\"']?(?P<htpasswd>{_SHOWN}{{4,200}}+)"
    rf"|-pass(?:in|out)\s{{1,3}}pass:(?P<openssl>{_SHOWN}{{4,200}}+)"
    rf"|-(?:store|key|deststore|srcstore)pass\s{{1,3}}[\"']?(?P<store>{_SHOWN}{{4,200}}+)"
    rf"|\b(?:requirepass|masterauth|bindpw|rootpw)[ \t]{{1,8}}[\"']?(?P<conf>{_SHOWN}{{6,400}}+)"
    rf"|\b(?:cmdkey|mstsc|runas|net)\b[^\n|;]{{0,120}}?\s/p(?:ass)?:(?P<slash>{_SHOWN}{{4,200}}+)",
)
_SIGNATURE: Final = Form(r"[?&](?:sig|X-Amz-Signature|X-Amz-Security-Token)=(?P<value>[A-Za-z0-9%+/_-]{40,}+)")
_COOKIES: Final = Form(r"cookie\\{0,4}[\"']?: ?\\{0,4}[\"']?(?P<cookies>[^\n\"'\\]{16,4000})", re.IGNORECASE)
_COOKIE: Final = Form(r"=(?P<value>[^;\s=]{16,}+)")
_SCHEME: Final = Form(r"[A-Za-z][A-Za-z0-9+.-]{1,30}$")
_LOGIN: Final = Form(
    r"(?P<user>[^\s/:@\"'`<>\\|]{0,128}+):(?P<password>[^\s/\"'`<>\\|]{1,256})@(?P<host>[^\s/:\"'`<>\\,]{1,256})"
)
_LOCAL: Final = Form(
    r"localhost|127\.0\.0\.1|\[?::1\]?|0\.0\.0\.0|.*\bexample\.(?:com|org|net)|host|db|postgres|redis", re.I
)

_PLAIN: Final = {"ssh", "login", "mysql", "netrc", "sql", "piped", "share", "smb", "packed", "openssl"}
_COMMAND_WORDS: Final = ("curl", "wget", "http", "mysql", "sshpass", "redis-cli", "az login", "docker login")
_MORE_COMMAND_WORDS: Final = (
    *("chpasswd", "--password-stdin", "sudo -s", "sudo -k -s", "| sudo", "cryptsetup", "passwd --stdin", "net use"),
    *(
        "smbclient",
        "sqlcmd",
        "zip -p",
        "zip -r",
        "7z ",
        "ldapsearch",
        "ldapadd",
        "ldapmodify",
        "ldapdelete",
        "ldapwhoami",
    ),
    *("htpasswd", "passin", "passout", "storepass", "keypass", "requirepass", "masterauth", "bindpw", "rootpw"),
    *("/p:", "/pass:"),
)
_OPTION_WORDS: Final = (
    *("--pass", "--secret", "--token", "--api", "--auth-token", "--access-token", " -pass", " -token"),
    *("login", "set ", "add ", "with password", "identified by", "basic", "auth"),
)


def named(text: str) -> Iterator[Span]:
    """Find secrets by what stands before them."""
    if "://" in text:
        yield from _logins(text)
    folded = text.lower()
    if "bearer" in folded or "authorization" in folded:
        yield from _authorized(text)
    for words, pattern in (
        (_COMMAND_WORDS, _COMMANDS),
        (_MORE_COMMAND_WORDS, _MORE_COMMANDS),
        (_OPTION_WORDS, _OPTIONS),
    ):
        if any(word in folded for word in words):
            yield from _options(text, pattern)
    if "sig=" in folded or "x-amz-" in folded:
        yield from _signed(text)
    if "cookie" in folded:
        yield from _cookies(text)


def _logins(text: str) -> Iterator[Span]:
    at = text.find("://")
    while at >= 0:
        match = _LOGIN.match(text, at + 3) if _SCHEME.search(text, max(0, at - 32), at) else None
        if match and _is_login(match["user"], match["password"], match["host"]):
            yield Span(match.start("user"), match.end("password"), "connection_string")
        at = text.find("://", at + 3)


def _is_login(user: str, password: str, host: str) -> bool:
    return not is_stand_in(password) and not (_LOCAL.fullmatch(host) and user.lower() == password.lower())


def _authorized(text: str) -> Iterator[Span]:
    for match in _BEARER.finditer(text):
        if is_key(match["value"], least=12):
            yield Span(match.start("value"), match.end("value"), "bearer_token")
    for match in _HEADER.finditer(text):
        value = match["value"]
        if is_key(value, least=16) or (match["scheme"] and len(value) >= 16 and not is_stand_in(value)):
            yield Span(match.start("value"), match.end("value"), "authorization")


def _options(text: str, pattern: Form) -> Iterator[Span]:
    for match in pattern.finditer(text):
        name = match.lastgroup or ""
        if is_password(match[name].strip("'"), said_plainly=name in _PLAIN):
            yield Span(match.start(name), match.end(name), "password")


def _signed(text: str) -> Iterator[Span]:
    for match in _SIGNATURE.finditer(text):
        yield Span(match.start("value"), match.end("value"), "signature")


def _cookies(text: str) -> Iterator[Span]:
    for header in _COOKIES.finditer(text):
        for match in _COOKIE.finditer(text, header.start("cookies"), header.end("cookies")):
            if is_key(match["value"], least=16):
                yield Span(match.start("value"), match.end("value"), "cookie")
