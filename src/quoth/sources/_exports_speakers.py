"""Know the names that texts give to a person, a model, a tool and a program."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from quoth.core.model import Kind, Role


class Speaker(Enum):
    """Who speaks, with the role and kind that this makes of the words."""

    PERSON = (Role.USER, Kind.MESSAGE)
    MODEL = (Role.ASSISTANT, Kind.MESSAGE)
    TOOL = (Role.ASSISTANT, Kind.TOOL_RESULT)
    PROGRAM = (Role.SYSTEM, Kind.META)
    THOUGHT = (Role.ASSISTANT, Kind.META)

    @property
    def speech(self) -> tuple[Role, Kind]:
        return self.value


@dataclass(frozen=True, slots=True)
class Part:
    """Words between two marks; `tool` is whom a call or result belongs to."""

    role: Role
    kind: Kind
    text: str
    tool: str = ""
    own: bool = False


_NAMES = {
    Speaker.PERSON: "user|human|you|me|prompt|question|用户|用戶|我|你|您|пользователь|вы|ты|я|вопрос",
    Speaker.MODEL: "assistant|ai|ai assistant|bot|model|response|answer|llm|助手|模型|回答|ассистент|модель|ответ",
    Speaker.TOOL: "tool|tool result|tool output|function",
    Speaker.PROGRAM: "system|system prompt|system message|developer|系统|система",
    Speaker.THOUGHT: "thinking|thoughts|reasoning",
}
_BY_NAME = {name: who for who, names in _NAMES.items() for name in names.split("|")}
_PRODUCT = re.compile(
    r"(?:github copilot|chatgpt|claude code|claude|codex|copilot|cursor|deepseek|gemini|gpt|grok|llama|mistral|qwen)"
    r"(?:[ -](?:\d[\w.]{0,8}|ai|chat|code|flash|haiku|max|mini|opus|plus|pro|sonnet|thinking|turbo|o\d[\w-]{0,8})){0,4}"
)
_IN_BRACKETS = re.compile(r"[(\[（][^()\[\]（）]{0,60}[)\]）]")
_ORNAMENT = re.compile(r"[^\w\s.-]+")
_SAID = re.compile(r"(.{1,30}?) ?(?:said|wrote|说|說|сказал|сказала|сказали)[:：]?", re.IGNORECASE)


def speaker(label: str) -> Speaker | None:
    """Return whom a label names: `👤 User`, `Assistant (gpt-5)`, `Claude Opus 4.5`, `Prompt:`."""
    plain = _ORNAMENT.sub(" ", _IN_BRACKETS.sub(" ", label))
    words = " ".join(plain.split()).casefold()
    return _BY_NAME.get(words) or (Speaker.MODEL if _PRODUCT.fullmatch(words) else None)


def said_by(line: str) -> Speaker | None:
    """Return who speaks after a line such as `You said:`, as pages that are copied have them."""
    match = _SAID.fullmatch(line.strip()) if len(line) <= 60 else None
    return speaker(match[1]) if match else None
