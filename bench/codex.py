"""Write invented sessions as Codex does: rollouts of the older schema and of the one with ordinals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import orjson

from bench.logs import Log, Plan, iso
from bench.prose import Language, Prose

Record = Mapping[str, object]


@dataclass(frozen=True)
class _Thread:
    id: str
    paginated: bool
    parent: str | None = None


def write(home: Path, plan: Plan, prose: Prose) -> None:
    """Write a thread and its subagents, and sometimes a title for it."""
    thread = _Thread(prose.uuid7(plan.start), paginated=prose.random.random() < 0.5)
    with Log(_path(home, plan.start, thread.id), prose, now=plan.start) as log:
        _Rollout(log, plan, prose, thread).talk(plan.size)
    for size in plan.subagents:
        child = _Thread(prose.uuid7(log.now), paginated=True, parent=thread.id)
        with Log(_path(home, log.now, child.id), prose, now=log.now) as own:
            _Rollout(own, plan, prose, child).work(size)
    if prose.random.random() < 0.4:
        _title(home, {"id": thread.id, "thread_name": prose.title(plan.language), "updated_at": iso(log.now)})


def _path(home: Path, start: int, thread: str) -> Path:
    moment = datetime.fromtimestamp(start / 1000, UTC)
    return home / "sessions" / f"{moment:%Y/%m/%d}" / f"rollout-{moment:%Y-%m-%dT%H-%M-%S}-{thread}.jsonl"


def _title(home: Path, entry: Record) -> None:
    with (home / "session_index.jsonl").open("ab") as index:
        index.write(orjson.dumps(entry, option=orjson.OPT_APPEND_NEWLINE))


class _Rollout:
    def __init__(self, log: Log, plan: Plan, prose: Prose, thread: _Thread) -> None:
        self._log, self._plan, self._prose, self._thread = log, plan, prose, thread
        self._ordinal = self._left = self._turn_number = 0

    # --- the course of a session -------------------------------------------------------------------------------------

    def _begin(self) -> None:
        version = "0.155.1" if self._thread.paginated else "0.112.0"
        meta: dict[str, object] = {
            "id": self._thread.id,
            "timestamp": iso(self._log.now),
            "cwd": self._plan.cwd,
            "originator": "codex-tui",
            "cli_version": version,
            "source": "cli",
            "model_provider": "openai",
            "base_instructions": {"text": "You are a coding agent. " * 400},
            "git": {"commit_hash": self._prose.hexadecimal(40), "branch": self._plan.branch},
        }
        if self._thread.paginated:
            meta |= {
                "session_id": self._thread.parent or self._thread.id,
                "thread_source": "user",
                "history_mode": "paginated",
            }
        if self._thread.parent:
            spawned = {
                "parent_thread_id": self._thread.parent,
                "depth": 1,
                "agent_path": "/root/checker",
                "agent_role": "worker",
            }
            meta |= {"source": {"subagent": {"thread_spawn": spawned}}, "thread_source": "subagent"}
            meta |= {"parent_thread_id": self._thread.parent, "subagent_history_start_ordinal": 1}
        self._line("session_meta", meta)
        self._context()

    def talk(self, size: int) -> None:
        self._begin()
        self._left = size
        while self._left:
            self._turn()

    def work(self, size: int) -> None:
        """Do what a subagent does: its instruction came from an agent and counts as nothing said."""
        self._begin()
        self._left = size
        instruction = self._prose.prompt(Language.ENGLISH)
        message = {"author": "/root", "recipient": "/root/checker", "content": instruction}
        self._line("inter_agent_communication", message)
        while self._left:
            self._calls()
            self._answer()

    def _context(self) -> None:
        injected = f"<environment_context>\n  <cwd>{self._plan.cwd}</cwd>\n</environment_context>"
        self._message("developer", "input_text", "<permissions instructions>workspace-write</permissions instructions>")
        self._message("user", "input_text", injected)

    def _turn(self) -> None:
        self._turn_number += 1
        self._event("task_started", turn_id=f"t-{self._turn_number}")
        self._line("turn_context", {"turn_id": f"t-{self._turn_number}", "cwd": self._plan.cwd, "model": "gpt-5.6"})
        self._ask()
        self._think()
        self._calls()
        self._answer()
        self._event("task_complete", turn_id=f"t-{self._turn_number}")

    def _ask(self) -> None:
        text = self._prose.prompt(self._plan.language)
        self._message("user", "input_text", text)
        if self._thread.paginated:
            content = [{"type": "text", "text": text, "text_elements": []}]
            self._item("UserMessage", id=self._prose.uuid(), content=content)
        else:
            self._event("user_message", message=text, images=[], local_images=[], text_elements=[])
        self._left -= 1

    def _think(self) -> None:
        thought = f"**{self._prose.title(Language.ENGLISH)}**"
        summary = [{"type": "summary_text", "text": thought}]
        secret = self._prose.hexadecimal(self._prose.random.randint(300, 1500))
        self._response("reasoning", summary=summary, content=None, encrypted_content=f"gAAAA{secret}")
        if not self._thread.paginated:
            self._event("agent_reasoning", text=thought)

    def _answer(self) -> None:
        if not self._left:
            return
        text = self._prose.answer(self._plan.language)
        self._message("assistant", "output_text", text, phase="final_answer")
        if self._thread.paginated:
            said = [{"type": "Text", "text": text}]
            self._item("AgentMessage", id=f"msg_{self._prose.hexadecimal(24)}", content=said, phase="final_answer")
        else:
            self._event("agent_message", message=text, phase="final_answer")
        self._left -= 1

    def _calls(self) -> None:
        for _ in range(int(self._prose.random.expovariate(1 / 4.5))):
            if self._left < 2:
                return
            self._patch() if self._prose.random.random() < 0.2 else self._command()
            self._left -= 2
            self._event(
                "token_count", info={"total_token_usage": {"total_tokens": self._prose.random.randint(900, 90_000)}}
            )

    def _command(self) -> None:
        call, output = f"call_{self._prose.hexadecimal(24)}", self._prose.output(self._plan.language)
        command = f"rg -n {self._prose.identifiers.one()} {self._prose.path()}"
        given = orjson.dumps({"cmd": command, "workdir": self._plan.cwd}).decode()
        self._response("function_call", name="exec_command", arguments=given, call_id=call)
        if self._thread.paginated:
            ran = {
                "command": ["/bin/bash", "-lc", command],
                "cwd": self._plan.cwd,
                "status": "completed",
                "exit_code": 0,
            }
            self._item("CommandExecution", id=f"exec-{call}", aggregated_output=output, **ran)
        told = f"Exit code: 0\nWall time: 0.1 seconds\nOutput:\n{output}"
        self._response("function_call_output", call_id=call, output=told)

    def _patch(self) -> None:
        call, path = f"call_{self._prose.hexadecimal(24)}", self._prose.path()
        patch = f"*** Begin Patch\n*** Update File: {path}\n@@\n{self._prose.code(9)}\n*** End Patch\n"
        told = orjson.dumps(
            {"output": f"Success. Updated the following files:\nM {path}\n", "metadata": {"exit_code": 0}}
        )
        self._response("custom_tool_call", status="completed", call_id=call, name="apply_patch", input=patch)
        self._response("custom_tool_call_output", call_id=call, output=told.decode())

    # --- records -----------------------------------------------------------------------------------------------------

    def _message(self, role: str, kind: str, text: str, **more: object) -> None:
        self._response("message", role=role, content=[{"type": kind, "text": text}], **more)

    def _response(self, kind: str, **more: object) -> None:
        self._line("response_item", {"type": kind} | more)

    def _event(self, kind: str, **more: object) -> None:
        self._line("event_msg", {"type": kind} | more)

    def _item(self, kind: str, **more: object) -> None:
        turn = {"thread_id": self._thread.id, "turn_id": f"t-{self._turn_number}"}
        self._event("item_completed", **turn, item={"type": kind} | more, completed_at_ms=self._log.now)

    def _line(self, kind: str, payload: Record) -> None:
        ordinal = {"ordinal": self._ordinal} if self._thread.paginated else {}
        self._log.write({"timestamp": self._log.tick()} | ordinal | {"type": kind, "payload": payload})
        self._ordinal += 1
