"""Write a conversation as Claude Code 2.1 writes its session files."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from quoth.surfaces.cli.demo.talks import Talk, Turn

Record = dict[str, object]

_INPUTS = {"Bash": "command", "Grep": "pattern", "Read": "file_path", "Edit": "file_path", "Write": "file_path"}


def uuid(*parts: object) -> str:
    return str(uuid5(NAMESPACE_URL, "quoth-demo:" + ":".join(map(str, parts))))


@dataclass
class ClaudeLog:
    """One session file in the making. With `agent` it is the file of a subagent of that session."""

    talk: Talk
    begun: datetime
    agent: str | None = None
    records: list[Record] = field(default_factory=list)
    children: list[ClaudeLog] = field(default_factory=list)
    parent: str | None = None

    @property
    def session(self) -> str:
        return uuid(self.talk.name)

    @property
    def now(self) -> datetime:
        return self.begun + timedelta(seconds=23 * len(self.records))

    def write(self, folder: Path) -> None:
        """Put the file, and those of its subagents, below `projects/`."""
        project = folder / "projects" / self.talk.cwd.replace("/", "-")
        path = project / (
            f"{self.session}/subagents/agent-{self.agent}.jsonl" if self.agent else f"{self.session}.jsonl"
        )
        write_lines(path, self.records, ended=self.now)
        for child in self.children:
            child.write(folder)

    def copy(self, original: ClaudeLog, turns: int) -> None:
        """Begin as a fork does: with what was said in the other session before its n-th message of the person."""
        prompts = 0
        for record in filter(_is_said, original.records):
            prompts += _is_prompt(record)
            if prompts >= turns:
                return
            self.records.append({**record, "sessionId": self.session})
            self.parent = str(record["uuid"])

    def fill(self) -> None:
        for number, turn in enumerate(self.talk.turns):
            self._add(number, turn)
        if title := self.talk.facts.get("title"):
            self.records.append({"type": "ai-title", "aiTitle": title, "sessionId": self.session})

    def _add(self, number: int, turn: Turn) -> None:
        match turn.mark:
            case ">":
                self._snapshot()
                self._user(turn.text, permissionMode="default", origin={"kind": "human"}, promptSource="typed")
            case "<":
                self._assistant({"type": "text", "text": turn.text}, stop="end_turn")
            case "?":
                self._assistant({"type": "thinking", "thinking": turn.text, "signature": "ZGVtbw=="})
            case "$":
                name, given = turn.tool
                self._assistant(_call(self._call_id(number), name, {_INPUTS[name]: given}), stop="tool_use")
            case "=":
                self._result(self._call_id(number - 1), turn.text)
            case "@":
                self._subagent(number, turn)
            case "%":
                self._compaction(turn.text)

    def _snapshot(self) -> None:
        """Note the state of the files before a turn, as the agent does."""
        coming = uuid(self.talk.name, self.agent, len(self.records) + 1)
        snapshot = {"messageId": coming, "trackedFileBackups": {}, "timestamp": iso(self.now)}
        self.records.append(
            {"type": "file-history-snapshot", "messageId": coming, "snapshot": snapshot, "isSnapshotUpdate": False}
        )

    def _subagent(self, number: int, turn: Turn) -> None:
        agent = uuid(self.talk.name, number).replace("-", "")[:17]
        asked = {"description": turn.text[:30], "subagent_type": "general-purpose", "prompt": turn.text}
        self._assistant(_call(self._call_id(number), "Agent", asked), stop="tool_use")
        child = ClaudeLog(Talk(self.talk.name, {**self.talk.facts, "title": ""}, turn.inner), self.now, agent)
        child._user(turn.text)
        child.fill()
        self.children.append(child)
        self._result(self._call_id(number), turn.inner[-1].text)

    def _compaction(self, summary: str) -> None:
        before, self.parent = self.parent, None
        boundary = {"subtype": "compact_boundary", "content": "Conversation compacted", "logicalParentUuid": before}
        self._record("system", {**boundary, "compactMetadata": {"trigger": "auto", "preTokens": 158_000}})
        text = f"This session is being continued from a previous conversation. Summary:\n{summary}"
        self._user(text, isVisibleInTranscriptOnly=True, isCompactSummary=True)

    def _result(self, call: str, text: str) -> None:
        content = [{"tool_use_id": call, "type": "tool_result", "content": text}]
        self._record("user", {"message": {"role": "user", "content": content}, "toolUseResult": text})

    def _user(self, text: str, **more: object) -> None:
        self._record("user", {"message": {"role": "user", "content": text}, **more})

    def _assistant(self, content: Record, stop: str | None = None) -> None:
        number = len(self.records)
        message = {
            "model": "claude-opus-5",
            "id": f"msg_{uuid(self.talk.name, 'message', number)[:12]}",
            "type": "message",
            "role": "assistant",
            "content": [content],
            "stop_reason": stop,
            "usage": {"input_tokens": 900 + 40 * number, "output_tokens": 60},
        }
        self._record("assistant", {"message": message, "requestId": f"req_{number}"})

    def _record(self, kind: str, said: Mapping[str, object]) -> None:
        own = uuid(self.talk.name, self.agent, len(self.records))
        record: Record = {"parentUuid": self.parent, "isSidechain": self.agent is not None, **said, "type": kind}
        if self.agent:
            record["agentId"] = self.agent
        self.records.append(
            {
                **record,
                "uuid": own,
                "timestamp": iso(self.now),
                "userType": "external",
                "entrypoint": "cli",
                "cwd": self.talk.cwd,
                "sessionId": self.session,
                "version": "2.1.270",
                "gitBranch": self.talk.branch,
            }
        )
        self.parent = own

    def _call_id(self, number: int) -> str:
        return f"toolu_{uuid(self.talk.name, self.agent, 'call', number)[:13]}"


def _call(id_: str, name: str, given: Mapping[str, str]) -> Record:
    return {"type": "tool_use", "id": id_, "name": name, "input": given}


def _is_said(record: Record) -> bool:
    """Tell what was said from bookkeeping, which has no id of its own."""
    return "uuid" in record


def _is_prompt(record: Record) -> bool:
    return "promptSource" in record


def to_line(record: Record) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"


def write_lines(path: Path, records: Iterable[Record], *, ended: datetime) -> None:
    """Write a log and date its file as if it had grown when the session was held."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(map(to_line, records)), "utf-8")
    os.utime(path, (ended.timestamp(), ended.timestamp()))


def iso(moment: datetime) -> str:
    """Print an instant as both agents do: UTC with milliseconds."""
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"
