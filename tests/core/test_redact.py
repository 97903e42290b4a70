"""Redaction: what it finds, what it leaves alone, its laws, and that no text makes it slow."""

from __future__ import annotations

import codecs
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quoth.core.redact import Redactor, redact

LISTS = Path(__file__).parents[1] / "data" / "redaction"


def _listed() -> Iterator[str]:
    """Yield every text of the labelled lists; tests/bench holds them to their bars."""
    for file in sorted(LISTS.glob("*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            yield re.sub("[⟦⟧]", "", codecs.decode(json.loads(line)["rot13"], "rot13"))


# Spelled in ROT13, as the lists are.
NAMED = {
    "fx-nag-ncv03-Mk8Dj4Eg2Lh6Vb0Cn9Fq7St": "anthropic_key",
    "NXVN2345ABCDWXYZ67LM": "aws_key",
    "tvguho_cng_11NOPQRST0uVwXyZaBcQd_m": "github_token",
    "kbko-123456789012-NoPqRsTuVwXyZaBc": "slack_token",
}


@pytest.mark.req("ENG-34")
@pytest.mark.parametrize(("spelled", "kind"), NAMED.items())
def test_a_vendor_key_leaves_a_marker_with_its_type(spelled: str, kind: str) -> None:
    assert redact(f"use {codecs.decode(spelled, 'rot13')} here").text == f"use [REDACTED:{kind}] here"


@pytest.mark.req("ENG-34", "HMG-6")
def test_of_an_address_with_a_password_the_host_stays_readable() -> None:
    redacted = redact("DATABASE_URL=postgres://app:Kw9xQ2mZ@db.internal:5432/app")
    assert redacted.text == "DATABASE_URL=postgres://[REDACTED:connection_string]@db.internal:5432/app"
    assert redacted.found == ("connection_string",)


@pytest.mark.req("ENG-34", "HMG-6")
@pytest.mark.parametrize(
    "words", ["password: must be rotated", "Write to jane.doe@example.com", "my password is hunter2", "пароль простой"]
)
def test_ordinary_words_stay_as_they_are(words: str) -> None:
    assert redact(words).text == words


@pytest.mark.req("SEC-5", "HMG-6")
@pytest.mark.parametrize(
    "said",
    [
        "The staging password is {}, user is qa",
        "пароль от базы поменяли на «{}»",
        "测试环境的密码是 {}，别提交",
        '<add key="SmtpPassword" value="{}" />',
        'variable "db_password" {{\n  default = "{}"\n}}',
        "echo '{}' | sudo -S true",
        "app:{}@tcp(127.0.0.1:3306)/shop",
        "db:5432:app:me:{}",
    ],
)
def test_a_password_that_is_said_or_set_apart_from_its_name_is_found_by_its_look(said: str) -> None:
    assert redact(said.format("Vq7mT2zKx9Lp")).text == said.format("[REDACTED:password]")


def test_what_was_taken_out_is_told_in_the_order_of_the_text() -> None:
    redacted = redact("password=hunter2 and Authorization: Bearer 9fK2mQ7xT4vB8nZ1")
    assert redacted.text == "password=[REDACTED:password] and Authorization: Bearer [REDACTED:bearer_token]"
    assert redacted.found == ("password", "bearer_token")


def test_a_redactor_counts_over_all_texts() -> None:
    redactor = Redactor()
    assert [redactor(text) for text in ("password=hunter2", "nothing", "password=hunter3")][1] == "nothing"
    assert redactor.taken == {"password": 2}


def test_a_secret_in_a_line_of_json_is_found_behind_its_escapes() -> None:
    line = (
        r'{"text":"export A\nAWS=1\n' + codecs.decode("NXVN2345ABCDWXYZ67LM", "rot13") + r'\n\"password\": \"q9!x\""}'
    )
    assert redact(line).found == ("aws_key",)
    assert redact(line.replace("q9!x", "q9!xTr0u")).found == ("aws_key", "password")


@pytest.mark.parametrize("before", ["İİİİ ", "ß", "\ud800", "\x00", "🔑", "ﬁ"])
def test_letters_that_grow_when_folded_and_broken_ones_shift_nothing(before: str) -> None:
    assert redact(f"{before} password=hunter2 ok").text == f"{before} password=[REDACTED:password] ok"


@pytest.mark.parametrize("cut", [40, 400, 1_000])
def test_a_private_key_that_was_cut_off_is_taken_out_to_its_end(cut: int) -> None:
    body = "\n".join("aZ3/Qk9+Lm2PxT7vWc5RbN8sYd1Ge4HfJu6Ki0OpVtXzBqMwCrSnDlFhEyUgIjAo" for _ in range(20))
    text = f"-----BEGIN RSA PRIVATE KEY-----\n{body}"[: 33 + cut]
    assert redact(f"see:\n{text}").text == "see:\n[REDACTED:private_key]"


_words = st.sampled_from(
    [
        *_listed(),
        *(
            "password",
            "token",
            "=",
            ": ",
            '"',
            "\\",
            "://",
            "@",
            "Bearer ",
            "[REDACTED:",
            "]",
            "a:b@c",
            "-----BEGIN ",
            "eyJ",
        ),
        *("[REDACTED:password]", "hunter2", "sk-", "\n", " "),
    ]
)
_texts = st.lists(_words | st.text(max_size=12), max_size=8).map("".join)


@settings(deadline=None)
@given(_texts)
def test_redacting_twice_is_redacting_once(text: str) -> None:
    once = redact(text)
    assert redact(once.text) == type(once)(once.text)


@settings(deadline=None)
@given(_texts)
def test_a_text_changes_exactly_when_something_was_found(text: str) -> None:
    redacted = redact(text)
    assert (redacted.text != text) == bool(redacted.found)
    assert len(MARKER.findall(redacted.text)) == len(MARKER.findall(text)) + len(redacted.found)


MARKER = re.compile(r"\[REDACTED:[a-z_]{1,40}\]")

HOSTILE = {
    "names": "password: ",
    "assignments": "password=",
    "quotes": 'token="',
    "headers": "-----BEGIN PRIVATE KEY-----",
    "tokens": "eyJaaaaaaaaaa-",
    "two halves": "eyJaaaaaaaaaa.eyJ",
    "addresses": "a://b:c",
    "addresses with ports": "a://b:c@d:",
    "accounts": "AccountName=",
    "commands": "curl -u ",
    "options": "--password ",
    "authorizations": "authorization: basic ",
    "bots": "1234567890:AA",
    "prefixes": "sk-ant- AKIA ghp_ SG.",
    "mail keys": "SG.aaaaaaaaaaaaaaaaaaaa",
    "back slashes": 'token\\\\\\\\"',
    "spaces": "secret    ",
    "markers": "[REDACTED:password]",
    "brackets": "[REDACTED:",
    "mixed case": "aBcDeF",
    "references": "pass=env:",
    "variables": "api_key=$a",
    "sentences": "password is ",
    "words": "the password aB3$",
    "names and values": 'name="password" value=',
    "settings": 'variable "password" { ',
    "logins": "a:b@tcp",
    "lines of pgpass": "a:5432:",
    "lines of PuTTY": "Private-Lines: 1\\n",
    "pipes": "echo a | sudo ",
    "shares": "net use /user:a ",
    "bots of a chat": "M.",
}


@pytest.mark.req("SEC-5")
def test_a_long_line_takes_time_in_proportion_whatever_it_holds() -> None:
    """A quadratic rule would need hours; the child is ended long before, with the name of the text."""
    code = (
        "import sys\nfrom quoth.core.redact import redact\n"
        "for line in sys.stdin:\n name, _, part = line.rstrip('\\n').partition('\\t')\n"
        " print(name, flush=True)\n redact(part * (60_000 // len(part)))\nprint('done')\n"
    )
    given_ = "".join(f"{name}\t{part}\n" for name, part in HOSTILE.items())
    done = subprocess.run(
        [sys.executable, "-c", code], input=given_, capture_output=True, text=True, timeout=120, check=True
    )
    assert done.stdout.splitlines() == [*HOSTILE, "done"]
