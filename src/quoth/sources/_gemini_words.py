"""Tell what the person said from what Gemini CLI wrote in the person's name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_CONTEXT = ("<session_context>", "This is the Gemini CLI. We are setting up the context")
# A program wrote the whole part.
_INJECTED = (
    *_CONTEXT,
    "<hook_context>",
    "<state_snapshot>",
    "Here is the user's editor context",
    "Here is a summary of changes in the user's editor context",
    "System: Please continue.",
    "System: Potential loop detected",
)
_ACKNOWLEDGED = "Got it. Thanks for the additional context!"
_MASKED = "<tool_output_masked>"
# The files that the person named with `@` stand behind the words, in the same message.
_FILES = re.compile(
    r"(?:\A|\n)--- Content from referenced files ---\n.*?(?:\n--- End of content ---(?=\n|\Z)|\Z)", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Words:
    """The `said` words of a message, and the text around them that was no speech."""

    said: str
    injected: str = ""


def divide(parts: Iterable[str]) -> Words:
    said: list[str] = []
    injected: list[str] = []
    for part in parts:
        (injected if is_injected(part) else said).append(part)
    whole = "".join(said)
    files = [match.group().strip() for match in _FILES.finditer(whole)]
    words = _FILES.sub("", whole).strip() if files else whole
    return Words(words if words.strip() else "", "\n".join([*(part.strip() for part in injected), *files]))


def is_injected(part: str) -> bool:
    return part.lstrip().startswith(_INJECTED)


def is_context(words: str) -> bool:
    """Tell whether a program told the model where the session takes place."""
    return words.lstrip().startswith(_CONTEXT)


def is_acknowledged(words: str) -> bool:
    """Tell whether the model's words are but the program's answer to its own summary."""
    return words.strip() == _ACKNOWLEDGED


def is_masked(result: str) -> bool:
    """Tell whether a long result was cut in the model's context; the whole was recorded before."""
    return _MASKED in result
