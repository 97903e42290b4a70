"""Who speaks: the person, or an agent that works for them.

An agent marks the environment of the programs it starts. Whoever sees such a mark was not started by the person: a
hurdle against mistakes, and no boundary, because a program can take its own environment away.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

PERSON = "user"


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who uses a door. `agent` is None for the person; `said` is the word of a contract for who said it, if any."""

    agent: str | None = None
    said: str | None = None

    @property
    def is_person(self) -> bool:
        return self.agent is None

    def author(self, device: str) -> str:
        """Return `<agent>@<device>` or `user@<device>` (ORI-25)."""
        return f"{self.agent or PERSON}@{device}"


# What each agent sets for the commands it runs, as seen in October 2026. Variables that a person's own terminal may
# have are no marks: CURSOR_TRACE_ID, CODEX_HOME, CLAUDE_CODE_SSE_PORT, COPILOT_GITHUB_TOKEN, keys and settings.
_MARKS: Mapping[str, tuple[str, ...]] = {
    "claude-code": ("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ID"),
    "codex": ("CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID", "CODEX_CI"),
    "cursor": ("CURSOR_AGENT",),
    "gemini-cli": ("GEMINI_CLI",),
    "opencode": ("OPENCODE", "OPENCODE_CLIENT"),
    "zcode": ("ZCODE", "ZCODE_SESSION_ID"),
    "grok": ("GROK_AGENT", "GROK_SESSION_ID"),
    "copilot-cli": ("COPILOT_CLI", "COPILOT_AGENT_SESSION_ID"),
    "antigravity": ("ANTIGRAVITY_AGENT",),
    "openclaw": ("OPENCLAW_SHELL",),
    "pi": ("PI_CODING_AGENT",),
    "qwen-code": ("QWEN_CODE",),
    "amp": ("AMP_CURRENT_THREAD_ID",),
    "augment": ("AUGMENT_AGENT",),
    "cline": ("CLINE_ACTIVE",),
    "crush": ("CRUSH",),
    "goose": ("GOOSE_TERMINAL",),
    "trae": ("TRAE_AI_SHELL_ID",),
}
_NAMING = ("AI_AGENT", "AGENT")  # any agent; the value may be its name
_NO = frozenset({"", "0", "false", "no", "off"})
_YES = frozenset({"1", "true", "yes", "on"})
_OUTSIDE = re.compile(r"[^a-z0-9]+")
_LONGEST = 40


@dataclass(frozen=True, slots=True)
class Mark:
    """A variable of the environment that an agent left."""

    variable: str
    agent: str


def mark_of(env: Mapping[str, str]) -> Mark | None:
    """Return the mark by which an environment is an agent's; the name it says itself counts least."""
    return next((mark for mark in _marks(env) if env.get(mark.variable, "").strip().lower() not in _NO), None)


def agent_of(env: Mapping[str, str]) -> str | None:
    """Return the agent whose environment this is; None when it may be the person's."""
    mark = mark_of(env)
    return mark.agent if mark else None


def _marks(env: Mapping[str, str]) -> Iterator[Mark]:
    known = (Mark(variable, agent) for agent, variables in _MARKS.items() for variable in variables)
    return chain(known, (Mark(variable, _named(env.get(variable, ""))) for variable in _NAMING))


def _named(value: str) -> str:
    """Read the name an agent gives itself, without the version behind it: `custom-agent@2.0`."""
    plain = _OUTSIDE.sub("-", value.strip().lower().partition("@")[0]).strip("-")[:_LONGEST].strip("-")
    return plain if plain and plain not in _YES else "agent"
