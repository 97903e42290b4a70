"""Write invented sessions as Pi does: a tree of entries with short ids."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from bench import course
from bench.course import Call
from bench.logs import Log, Plan
from bench.prose import Language, Prose


def write(home: Path, plan: Plan, prose: Prose) -> None:
    session, moment = prose.uuid(), datetime.fromtimestamp(plan.start / 1000, UTC)
    folder = home / "sessions" / f"--{plan.cwd.strip('/').replace('/', '-')}--"
    with Log(folder / f"{moment:%Y-%m-%dT%H-%M-%S}-000Z_{session}.jsonl", prose, now=plan.start) as log:
        log.write({"type": "session", "version": 3, "id": session, "timestamp": log.tick(), "cwd": plan.cwd})
        entries = _Entries(log, prose)
        entries.write("model_change", provider="demo", modelId="demo-model")
        course.run(entries, plan, prose)
        entries.write("session_info", name=prose.title(plan.language))


class _Entries:
    def __init__(self, log: Log, prose: Prose) -> None:
        self._log, self._prose = log, prose
        self._parent: str | None = None
        self._count = 0

    def ask(self, text: str) -> None:
        self._say(role="user", content=[{"type": "text", "text": text}])

    def call(self, call: Call) -> None:
        thought = {"type": "thinking", "thinking": self._prose.title(Language.ENGLISH)}
        asked = {"type": "toolCall", "id": call.id, "name": call.tool, "arguments": call.given}
        self._say(role="assistant", content=[thought, asked], model="demo-model", stopReason="toolUse")
        told = {"toolCallId": call.id, "toolName": call.tool, "content": [{"type": "text", "text": call.output}]}
        self._say(role="toolResult", **told, isError=False)

    def answer(self, text: str) -> None:
        content = [{"type": "text", "text": text}]
        self._say(role="assistant", content=content, model="demo-model", stopReason="stop")

    def _say(self, **message: object) -> None:
        self.write("message", message=message | {"timestamp": self._log.now})

    def write(self, kind: str, **more: object) -> None:
        self._count += 1
        head = {"type": kind, "id": f"{self._count:08x}", "parentId": self._parent, "timestamp": self._log.tick()}
        self._log.write(head | more)
        self._parent = f"{self._count:08x}"
