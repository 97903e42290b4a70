"""Write invented sessions as Claude Code 2.1.x does: `projects/<folder>/<session>.jsonl` and its subagents."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import orjson

from bench.logs import Log, Plan
from bench.prose import Language, Prose

_VERSIONS = ("2.1.243", "2.1.258", "2.1.270")
_REMINDER = "\n\n<system-reminder>\nThe date has changed. Do not mention this to the user.\n</system-reminder>"
Record = Mapping[str, object]


def folder_name(cwd: str) -> str:
    return re.sub(r"[^A-Za-z0-9]", "-", cwd)


@dataclass(frozen=True)
class _Speaker:
    """Who writes a file, as its records name it."""

    session: str
    version: str
    agent: str | None = None
    entrypoint: str = "cli"


def write(home: Path, plan: Plan, prose: Prose) -> None:
    """Write a session, the subagents it started, and the fork that was made of it."""
    folder = home / "projects" / folder_name(plan.cwd)
    speaker = _Speaker(prose.uuid(), prose.random.choice(_VERSIONS))
    agents = {f"a{prose.hexadecimal(16)}": size for size in plan.subagents}
    with Log(folder / f"{speaker.session}.jsonl", prose, now=plan.start) as log:
        main = _Conversation(log, plan, prose, speaker)
        main.talk(plan.size, agents=list(agents))
    for agent, size in agents.items():
        _subagent(folder / speaker.session / "subagents", main, agent=agent, size=size)
    if plan.fork:
        _fork(folder, main)


def write_result(home: Path, plan: Plan, prose: Prose, text: str) -> None:
    """Write a session with one question, one call and the given text as its result."""
    speaker = _Speaker(prose.uuid(), _VERSIONS[-1])
    with Log(home / "projects" / folder_name(plan.cwd) / f"{speaker.session}.jsonl", prose, now=plan.start) as log:
        _Conversation(log, plan, prose, speaker).show(text)


def _subagent(folder: Path, main: _Conversation, *, agent: str, size: int) -> None:
    # The identifier of the call is absent where a workflow started the agent.
    linked = {"toolUseId": main.launched[agent]} if agent in main.launched else {}
    meta = {"agentType": "general-purpose", "description": main.prose.title(main.plan.language), "spawnDepth": 1}
    with Log(folder / f"agent-{agent}.jsonl", main.prose, now=main.log.now) as log:
        _Conversation(log, main.plan, main.prose, replace(main.speaker, agent=agent)).work(size)
    (folder / f"agent-{agent}.meta.json").write_bytes(orjson.dumps(meta | linked))


def _fork(folder: Path, main: _Conversation) -> None:
    """Copy the conversation under a new session, as `--fork-session` does, and go on in it."""
    speaker = replace(main.speaker, session=main.prose.uuid(), entrypoint="sdk-cli")
    with Log(folder / f"{speaker.session}.jsonl", main.prose, now=main.log.now) as log:
        fork = _Conversation(log, main.plan, main.prose, speaker)
        for line in main.log.path.read_bytes().splitlines():
            record = orjson.loads(line)
            if "uuid" in record:
                log.write(record | {"sessionId": speaker.session, "entrypoint": speaker.entrypoint})
                fork.parent = record["uuid"]
        fork.talk(main.plan.fork)


class _Conversation:
    def __init__(self, log: Log, plan: Plan, prose: Prose, speaker: _Speaker) -> None:
        self.log, self.plan, self.prose, self.speaker = log, plan, prose, speaker
        self.parent: str | None = None
        self.launched: dict[str, str] = {}
        self._left = 0
        self._message = self._request = ""

    # --- the course of a session: every method that makes an event of what was said or done counts it ---------------

    def talk(self, size: int, *, agents: Sequence[str] = ()) -> None:
        self._left, waiting = size, list(agents)
        self._bookkeeping("mode", mode="normal")
        self._attachment("environment", snapshot={"workingDirectory": self.plan.cwd, "isGitRepo": True})
        while self._left:
            self._turn(waiting)
            if self.prose.random.random() < 0.01:
                self._compaction()

    def show(self, text: str) -> None:
        self._ask(self.prose.prompt(self.plan.language))
        self._call(("Bash", {"command": "cat build.log"}, text, None))

    def work(self, size: int) -> None:
        """Do what a subagent does: its instruction was not said by a person and counts as nothing said."""
        self._left = size
        self._say(self.prose.prompt(self.plan.language))
        while self._left:
            self._calls([])
            self._answer("end_turn")

    def _turn(self, waiting: list[str]) -> None:
        prompt = self.prose.prompt(self.plan.language)
        self._snapshot()
        self._ask(prompt)
        if self.prose.random.random() < 0.6:
            self._answer(None)
        self._calls(waiting)
        self._answer("end_turn")
        self._after(prompt)

    def _calls(self, waiting: list[str]) -> None:
        for _ in range(int(self.prose.random.expovariate(1 / 4.5))):
            if self._left < 2:
                return
            self._call(self._launch(waiting.pop()) if waiting else self._tool())
            if self.prose.random.random() < 0.15:
                self._answer(None)
            if self.prose.random.random() < 0.3:
                self._attachment("total_tokens_reminder", used=self.prose.random.randint(9_000, 180_000))
            if self.prose.random.random() < 0.02 and self._left and not self.speaker.agent:
                self._attachment("queued_command", prompt=self.prose.prompt(self.plan.language), commandMode="prompt")
                self._count()

    def _after(self, prompt: str) -> None:
        self._system("turn_duration", durationMs=self.prose.random.randint(2_000, 400_000), isMeta=False)
        if self.prose.random.random() < 0.25:
            self._bookkeeping("ai-title", aiTitle=self.prose.title(self.plan.language))
        self._bookkeeping("last-prompt", lastPrompt=prompt.replace("\n", " ")[:200], leafUuid=self.parent)
        self._bookkeeping("permission-mode", permissionMode="default")
        self._bookkeeping("cost-state", totalCostUSD=round(self.prose.random.uniform(0, 5), 4), modelUsage={})

    def _compaction(self) -> None:
        self._system("compact_boundary", content="Conversation compacted", logicalParentUuid=self.parent, isMeta=False)
        summary = f"This session is being continued from a previous one.\n\n{self.prose.answer(self.plan.language)}"
        self._say(summary, isCompactSummary=True, isVisibleInTranscriptOnly=True)

    # --- one step ----------------------------------------------------------------------------------------------------

    def _ask(self, prompt: str) -> None:
        self._say(prompt, origin={"kind": "human"}, promptSource="typed", permissionMode="default")
        self._count()

    def _answer(self, stop: str | None) -> None:
        if not self._left:
            return
        self._begin_message()
        if self.prose.random.random() < 0.5:
            thought = {"type": "thinking", "thinking": "", "signature": self.prose.hexadecimal(400)}
            self._assistant(thought, None)
        self._assistant({"type": "text", "text": self.prose.answer(self.plan.language)}, stop)
        self._count()

    def _call(self, tool: tuple[str, Record, str, object]) -> None:
        name, given, output, structured = tool
        call = f"toolu_01{self.prose.hexadecimal(22)}"
        self._begin_message()
        self._assistant({"type": "tool_use", "id": call, "name": name, "input": given}, "tool_use")
        if name == "Agent":
            self.launched[str(given["description"])] = call
        self._result(call, output, structured)
        self._count(2)

    def _result(self, call: str, output: str, structured: object) -> None:
        failed = self.prose.random.random() < 0.06
        content = output + (_REMINDER if self.prose.random.random() < 0.03 else "")
        block = {"tool_use_id": call, "type": "tool_result", "content": content} | (
            {"is_error": True} if failed else {}
        )
        told = f"Error: {output}" if failed else structured
        self._say([block], toolUseResult=told, sourceToolAssistantUUID=self.parent)

    def _launch(self, agent: str) -> tuple[str, Record, str, object]:
        given = {
            "description": agent,
            "subagent_type": "general-purpose",
            "prompt": self.prose.prompt(Language.ENGLISH),
        }
        return "Agent", given, self.prose.answer(self.plan.language), {"status": "completed", "agentId": agent}

    def _tool(self) -> tuple[str, Record, str, object]:
        path = f"{self.plan.cwd}/{self.prose.path()}"
        name = self.prose.random.choice(("Bash", "Bash", "Read", "Grep", "Edit"))
        if name == "Edit":
            old, new = self.prose.code(4), self.prose.code(5)
            edited = {"filePath": path, "oldString": old, "newString": new, "structuredPatch": []}
            given = {"file_path": path, "old_string": old, "new_string": new}
            return name, given, f"The file {path} has been updated.", edited
        output = self.prose.output(self.plan.language)
        if name == "Read":
            return name, {"file_path": path}, output, {"type": "text", "file": {"filePath": path, "content": output}}
        if name == "Grep":
            return (
                name,
                {"pattern": self.prose.identifiers.one(), "path": "src"},
                output,
                {"mode": "content", "content": output},
            )
        ran = {"stdout": output, "stderr": "", "interrupted": False, "isImage": False}
        return name, {"command": f"rg -n {self.prose.identifiers.one()} {path}", "description": "Search"}, output, ran

    def _count(self, events: int = 1) -> None:
        self._left -= events

    # --- records -----------------------------------------------------------------------------------------------------

    def _begin_message(self) -> None:
        self._message, self._request = f"msg_01{self.prose.hexadecimal(22)}", f"req_01{self.prose.hexadecimal(22)}"

    def _say(self, content: object, **more: object) -> None:
        self._linked({"message": {"role": "user", "content": content}} | more, "user")

    def _assistant(self, block: Record, stop: str | None) -> None:
        usage = {
            "input_tokens": self.prose.random.randint(3, 30),
            "cache_creation_input_tokens": self.prose.random.randint(0, 9_000),
            "cache_read_input_tokens": self.prose.random.randint(9_000, 160_000),
            "output_tokens": self.prose.random.randint(20, 2_000),
            "service_tier": "standard",
        }
        message = {"model": "claude-opus-5", "id": self._message, "type": "message", "role": "assistant"}
        body = message | {"content": [block], "stop_reason": stop, "stop_sequence": None, "usage": usage}
        self._linked({"message": body, "requestId": self._request}, "assistant")

    def _attachment(self, kind: str, **more: object) -> None:
        self._linked({"attachment": {"type": kind} | more}, "attachment")

    def _system(self, subtype: str, **more: object) -> None:
        self._linked({"subtype": subtype} | more, "system")

    def _linked(self, body: Record, kind: str) -> None:
        uuid = self.prose.uuid()
        head = {"parentUuid": self.parent, "isSidechain": self.speaker.agent is not None}
        agent = {"agentId": self.speaker.agent} if self.speaker.agent else {}
        tail = {
            "type": kind,
            "uuid": uuid,
            "timestamp": self.log.tick(),
            "userType": "external",
            "entrypoint": self.speaker.entrypoint,
            "cwd": self.plan.cwd,
            "sessionId": self.speaker.session,
            "version": self.speaker.version,
            "gitBranch": self.plan.branch,
        }
        self.log.write(head | dict(body) | agent | tail)
        self.parent = uuid

    def _bookkeeping(self, kind: str, **more: object) -> None:
        self.log.write({"type": kind} | more | {"sessionId": self.speaker.session})

    def _snapshot(self) -> None:
        message = self.prose.uuid()
        snapshot = {"messageId": message, "trackedFileBackups": {}, "timestamp": self.log.tick()}
        record = {
            "type": "file-history-snapshot",
            "messageId": message,
            "snapshot": snapshot,
            "isSnapshotUpdate": False,
        }
        self.log.write(record)
