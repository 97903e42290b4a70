"""Write a conversation as Codex 0.155 writes its rollout files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from quoth.surfaces.cli.demo.claude_log import Record, iso, uuid, write_lines
from quoth.surfaces.cli.demo.talks import Talk, Turn


@dataclass
class CodexLog:
    """One rollout file in the making."""

    talk: Talk
    begun: datetime
    records: list[Record] = field(default_factory=list)

    @property
    def thread(self) -> str:
        """Return an id that looks like the time-ordered ones of Codex and stays the same whenever the demo runs."""
        made = uuid(self.talk.name, "thread")
        return f"019f{made[4:14]}7{made[15:]}"

    def write(self, folder: Path) -> None:
        day = folder / "sessions" / self.begun.strftime("%Y/%m/%d")
        path = day / f"rollout-{self.begun.strftime('%Y-%m-%dT%H-%M-%S')}-{self.thread}.jsonl"
        write_lines(path, self.records, ended=self._now)
        with (folder / "session_index.jsonl").open("a", encoding="utf-8") as index:
            named = {"id": self.thread, "thread_name": self.talk.facts["title"], "updated_at": iso(self.begun)}
            index.write(json.dumps(named, ensure_ascii=False) + "\n")

    @property
    def _now(self) -> datetime:
        return self.begun + timedelta(seconds=17 * len(self.records))

    def fill(self) -> None:
        self._record("session_meta", self._meta())
        self._record("turn_context", {"turn_id": "t-1", "cwd": self.talk.cwd, "model": "gpt-5.6", "effort": "high"})
        self._message("user", f"<environment_context>\n  <cwd>{self.talk.cwd}</cwd>\n</environment_context>")
        for number, turn in enumerate(self.talk.turns):
            self._add(number, turn)

    def _add(self, number: int, turn: Turn) -> None:
        match turn.mark:
            case ">":
                self._message("user", turn.text)
                self._item("UserMessage", number, content=[{"type": "text", "text": turn.text, "text_elements": []}])
            case "<":
                self._message("assistant", turn.text, phase="final_answer")
                self._item("AgentMessage", number, content=[{"type": "Text", "text": turn.text}], phase="final_answer")
            case "?":
                self._record("response_item", {"type": "reasoning", "summary": [_summary(turn.text)], "content": None})
            case "$":
                self._call(number, turn)
            case "=":
                output = {"call_id": self._call_id(number - 1), "output": turn.text}
                self._record("response_item", {"type": "function_call_output", **output})

    def _call(self, number: int, turn: Turn) -> None:
        name, given = turn.tool
        arguments = {"cmd": given, "workdir": self.talk.cwd} if name == "exec" else {"file": given}
        called = {"name": "exec_command" if name == "exec" else name, "arguments": json.dumps(arguments)}
        self._record("response_item", {"type": "function_call", **called, "call_id": self._call_id(number)})

    def _message(self, role: str, text: str, **more: object) -> None:
        kind = "output_text" if role == "assistant" else "input_text"
        content = [{"type": kind, "text": text}]
        self._record("response_item", {"type": "message", "role": role, "content": content, **more})

    def _item(self, kind: str, number: int, **more: object) -> None:
        item = {"type": kind, "id": uuid(self.talk.name, "item", number), **more}
        self._record("event_msg", {"type": "item_completed", "thread_id": self.thread, "turn_id": "t-1", "item": item})

    def _record(self, kind: str, payload: Mapping[str, object]) -> None:
        facts = {"timestamp": iso(self._now), "ordinal": len(self.records), "type": kind}
        self.records.append({**facts, "payload": dict(payload)})

    def _meta(self) -> Record:
        return {
            "id": self.thread,
            "session_id": self.thread,
            "timestamp": iso(self.begun),
            "cwd": self.talk.cwd,
            "originator": "codex-tui",
            "cli_version": "0.155.1",
            "source": "cli",
            "thread_source": "user",
            "history_mode": "paginated",
            "base_instructions": {"text": "(a long text of the agent)"},
            "git": {"commit_hash": uuid(self.talk.name, "commit")[:7], "branch": self.talk.branch},
        }

    def _call_id(self, number: int) -> str:
        return f"call_{uuid(self.talk.name, 'call', number)[:8]}"


def _summary(text: str) -> Record:
    return {"type": "summary_text", "text": text}
