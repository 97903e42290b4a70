"""Write invented chats as Gemini CLI does: a call is told when it begins and again, with its result, when it ends."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from bench import course
from bench.course import Call
from bench.logs import Log, Plan
from bench.prose import Language, Prose


def write(home: Path, plan: Plan, prose: Prose) -> None:
    session, moment = prose.uuid(), datetime.fromtimestamp(plan.start / 1000, UTC)
    folder = home / ".gemini" / "tmp" / plan.cwd.rpartition("/")[2]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ".project_root").write_text(plan.cwd, encoding="utf-8")
    path = folder / "chats" / f"session-{moment:%Y-%m-%dT%H-%M}-{session[:8]}.jsonl"
    with Log(path, prose, now=plan.start) as log:
        began, project = log.tick(), hashlib.sha256(plan.cwd.encode()).hexdigest()
        head = {"sessionId": session, "projectHash": project, "startTime": began, "lastUpdated": began, "kind": "main"}
        log.write(head | {"directories": [plan.cwd]})
        course.run(_Chat(log, prose), plan, prose)
        log.write({"$set": {"summary": prose.title(plan.language), "lastUpdated": log.tick()}})


class _Chat:
    def __init__(self, log: Log, prose: Prose) -> None:
        self._log, self._prose = log, prose

    def ask(self, text: str) -> None:
        self._message("user", content=[{"text": text}])
        self._log.write({"$set": {"lastUpdated": self._log.tick()}})

    def call(self, call: Call) -> None:
        told = {"id": call.id, "name": call.tool, "args": call.given, "status": "executing"}
        message = self._message("gemini", content="", thoughts=[self._thought()], toolCalls=[told])
        response = {"id": call.id, "name": call.tool, "response": {"output": call.output}}
        ended = told | {"status": "success", "result": [{"functionResponse": response}], "timestamp": self._log.tick()}
        self._log.write(message | {"thoughts": [], "toolCalls": [ended]})

    def answer(self, text: str) -> None:
        self._message("gemini", content=text, thoughts=[self._thought()], tokens={"input": 500, "output": 40})

    def _thought(self) -> Mapping[str, str]:
        return {"subject": self._prose.title(Language.ENGLISH), "description": self._prose.title(Language.ENGLISH)}

    def _message(self, kind: str, **more: object) -> dict[str, object]:
        model = {"model": "gemini-3-pro"} if kind == "gemini" else {}
        message = {"id": self._prose.uuid(), "timestamp": self._log.tick(), "type": kind} | more | model
        self._log.write(message)
        return message
