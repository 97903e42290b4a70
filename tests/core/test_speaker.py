"""Who speaks, by the marks that agents leave in the environment."""

from __future__ import annotations

import pytest

from quoth.core.speaker import Speaker, agent_of, mark_of

PERSONS = {
    "HOME": "/home/mina",
    "TERM_PROGRAM": "vscode",
    "CURSOR_TRACE_ID": "5f2c",
    "CODEX_HOME": "/home/mina/.codex",
    "CLAUDE_CONFIG_DIR": "/home/mina/.claude",
    "CLAUDE_CODE_SSE_PORT": "40123",
    "ANTHROPIC_API_KEY": "x",
    "SSH_AUTH_SOCK": "/run/agent",
}


@pytest.mark.req("SEC-8")
@pytest.mark.parametrize(
    ("variable", "value", "agent"),
    [
        ("CLAUDECODE", "1", "claude-code"),
        ("CLAUDE_CODE_ENTRYPOINT", "cli", "claude-code"),
        ("CODEX_SANDBOX", "seatbelt", "codex"),
        ("CODEX_THREAD_ID", "019f", "codex"),
        ("CURSOR_AGENT", "1", "cursor"),
        ("GEMINI_CLI", "1", "gemini-cli"),
        ("OPENCODE", "1", "opencode"),
        ("GROK_AGENT", "1", "grok"),
        ("ZCODE", "1", "zcode"),
        ("COPILOT_CLI", "1", "copilot-cli"),
        ("AI_AGENT", "Custom Agent@2.0", "custom-agent"),
        ("AGENT", "1", "agent"),
        ("AGENT", "@@", "agent"),
    ],
)
def test_an_agents_mark_names_the_agent(variable: str, value: str, agent: str) -> None:
    assert agent_of({**PERSONS, variable: value}) == agent


@pytest.mark.req("SEC-8")
@pytest.mark.parametrize("value", ["", " ", "0", "false", "off"])
def test_a_variable_that_says_no_is_no_mark(value: str) -> None:
    assert agent_of({**PERSONS, "CLAUDECODE": value, "AI_AGENT": value}) is None


def test_a_known_mark_counts_more_than_a_name_that_is_said() -> None:
    mark = mark_of({"AGENT": "1", "OPENCODE": "1"})
    assert mark
    assert (mark.variable, mark.agent) == ("OPENCODE", "opencode")


@pytest.mark.req("ORI-25")
def test_the_author_is_the_person_or_the_agent_at_the_device() -> None:
    assert Speaker().author("desk") == "user@desk"
    assert Speaker("codex").author("desk") == "codex@desk"
