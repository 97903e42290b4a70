"""Tell what the person said to Grok Build from what the program put around it or said in the person's name."""

from __future__ import annotations

import re

from quoth.core.model import Kind, Role
from quoth.sources._values import Record, inner, text
from quoth.sources._words import Speaker, Words
from quoth.sources._words import divide as without_reminders

# Said while the model worked, or right after it was stopped: wrapped as the model sees it.
_STEERED = re.compile(
    r"The user (?:sent a message while you were working|interrupted the previous turn):\s*"
    r"<user_query>\n?(.*)</user_query>.*",
    re.DOTALL,
)
_CONTEXT = re.compile(r"\s*<(fork-context|resume-context)>.*?</\1>\s*", re.DOTALL)
_WAKING = (
    "task-completed-",
    "subagent-completed-",
    "workflow-completed-",
    "notifications-",
    "goal-summary-",
    "goal-classifier-nudge-",
    "scheduler-fired-",
    "plan-resume-",
)


def is_steered(whole: str) -> bool:
    return whole.startswith("The user ") and _STEERED.fullmatch(whole) is not None


def is_by_program(chunk: Record, prompt: str) -> bool:
    """Tell a prompt that the program made, a command to the program, or one to the shell from the person's words."""
    meta, block = inner(chunk, "_meta"), inner(inner(chunk, "content"), "_meta")
    if meta.get("hostTurn") is True or meta.get("hideFromScrollback") is True:
        return True
    return bool(text(block, "bash_command")) or prompt.startswith(_WAKING)


def divide(whole: str) -> Words:
    """Return the person's words of a prompt and what a program put around them."""
    if whole.startswith("The user ") and (steered := _STEERED.fullmatch(whole)):
        return Words(Role.USER, Kind.MESSAGE, steered[1].rstrip("\n"))
    context = match.group() if (match := _CONTEXT.match(whole)) else ""
    words = without_reminders(whole[len(context) :], Speaker.PERSON)
    if not context:
        return words
    injected = "\n".join(filter(None, [context.strip(), words.injected]))
    return Words(words.role, words.kind, words.text, injected)
