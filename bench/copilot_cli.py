"""Write invented sessions as Copilot CLI does: `session-state/<session>/events.jsonl` and a title beside it."""

from __future__ import annotations

from pathlib import Path

from bench import course
from bench.course import Call
from bench.logs import Log, Plan
from bench.prose import Prose


def write(home: Path, plan: Plan, prose: Prose) -> None:
    session = prose.uuid()
    folder = home / "session-state" / session
    with Log(folder / "events.jsonl", prose, now=plan.start) as log:
        events = _Events(log, prose)
        context = {"cwd": plan.cwd, "gitRoot": plan.cwd, "branch": plan.branch}
        head = {"sessionId": session, "version": 1, "producer": "copilot-agent", "copilotVersion": "1.0.71"}
        events.write("session.start", **head, context=context)
        course.run(events, plan, prose)
    about = {"id": session, "cwd": plan.cwd, "branch": plan.branch, "name": prose.title(plan.language).replace(":", "")}
    text = "".join(f"{key}: {value}\n" for key, value in about.items())
    (folder / "workspace.yaml").write_text(text, encoding="utf-8")


class _Events:
    def __init__(self, log: Log, prose: Prose) -> None:
        self._log, self._prose = log, prose
        self._parent: str | None = None
        self._message = 0

    def ask(self, text: str) -> None:
        transformed = f"<current_datetime>{self._log.tick()}</current_datetime>\n\n{text}"
        self.write("user.message", content=text, transformedContent=transformed, attachments=[])

    def call(self, call: Call) -> None:
        asked = {"toolCallId": call.id, "name": call.tool, "arguments": call.given}
        self._say("", [asked])
        self.write("tool.execution_start", toolCallId=call.id, toolName=call.tool, arguments=call.given)
        self.write("tool.execution_complete", toolCallId=call.id, success=True, result={"content": call.output})

    def answer(self, text: str) -> None:
        self._say(text, [])
        self.write("assistant.turn_end", turnId=f"{self._message}")

    def _say(self, text: str, requests: list[dict[str, object]]) -> None:
        self._message += 1
        self.write("assistant.message", messageId=f"m{self._message}", content=text, toolRequests=requests)

    def write(self, kind: str, **data: object) -> None:
        record = {"type": kind, "data": data, "id": self._prose.uuid(), "timestamp": self._log.tick()}
        self._log.write(record | {"parentId": self._parent})
        self._parent = str(record["id"])
