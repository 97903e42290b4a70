"""Tell what the person said from what a program wrote in the person's name, by the marks that programs put around it.

Claude Code began with these marks, and others took them over.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from quoth.core.model import Kind, Role

# Put in front of what the person typed, in the same text.
_GLUED = re.compile(
    r"\s*<(ide_opened_file|ide_selection|ide_diagnostics|system-reminder|user-prompt-submit-hook)(?:\s[^<>]*)?>"
    r".*?</\1>\s*",
    re.DOTALL,
)
_OPENED, _CLOSED = "<system-reminder>", "</system-reminder>"
# A program wrote the whole text, even when the person caused it by a command.
_WRAPPED = re.compile(
    r"<(command-name|command-message|command-args|command-contents|local-command-stdout|local-command-stderr"
    r"|local-command-caveat|bash-input|bash-stdout|bash-stderr|task-notification|teammate-message)[\s>]"
)
_CONTINUED = re.compile(r"Caveat: The messages below|This session is being continued from", re.IGNORECASE)
_INTERRUPTED = "[Request interrupted by user"


class Speaker(StrEnum):
    """Who speaks according to the record itself; older records do not say."""

    PERSON = "person"
    PROGRAM = "program"
    UNSAID = "unsaid"


@dataclass(frozen=True, slots=True)
class Words:
    """A text as what it is, without the `injected` part that was no speech."""

    role: Role
    kind: Kind
    text: str
    injected: str = ""


def divide(whole: str, by: Speaker) -> Words:
    """Return the person's words of a user text, or say that it holds none."""
    if by is Speaker.PROGRAM:
        return Words(Role.USER, Kind.META, whole)
    front, rest = _split_front(whole)
    words, back = split_reminder(rest)
    if not words.strip() or _is_wrapped(words, by):
        return Words(Role.USER, Kind.META, whole)
    if by is Speaker.UNSAID and words.startswith(_INTERRUPTED):
        return Words(Role.SYSTEM, Kind.SYSTEM, whole)
    return Words(Role.USER, Kind.MESSAGE, words, "\n".join(filter(None, [front, back])))


def split_reminder(whole: str) -> tuple[str, str]:
    """Cut the reminders off that a program put at the end of a text."""
    end = _without_blanks(whole, len(whole))
    cut = False
    while whole.endswith(_CLOSED, 0, end) and (start := whole.rfind(_OPENED, 0, end)) >= 0:
        end, cut = _without_blanks(whole, start), True
    return (whole[:end], whole[end:].strip()) if cut else (whole, "")


def _without_blanks(whole: str, end: int) -> int:
    while end and whole[end - 1].isspace():
        end -= 1
    return end


def _split_front(whole: str) -> tuple[str, str]:
    position = 0
    while match := _GLUED.match(whole, position):
        position = match.end()
    return whole[:position].strip(), whole[position:]


def _is_wrapped(words: str, by: Speaker) -> bool:
    if by is Speaker.UNSAID and _CONTINUED.match(words):
        return True
    match = _WRAPPED.match(words.lstrip())
    # A person may write about such a tag; only a program closes it.
    return match is not None and (by is Speaker.UNSAID or f"</{match[1]}>" in words)
