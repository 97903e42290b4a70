"""Write invented sessions as Grok Build does: a stream of updates in which what is said comes in chunks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import quote

import orjson

from bench import course
from bench.course import Call
from bench.logs import Log, Plan, iso
from bench.prose import Prose


def write(home: Path, plan: Plan, prose: Prose) -> None:
    session = prose.uuid7(plan.start)
    folder = home / "sessions" / quote(plan.cwd, safe="") / session
    with Log(folder / "updates.jsonl", prose, now=plan.start) as log:
        course.run(_Updates(log, prose, session), plan, prose)
    info = {"id": session, "cwd": plan.cwd}
    summary = {"info": info, "generated_title": prose.title(plan.language), "title_is_manual": False}
    times = {"created_at": iso(plan.start), "updated_at": iso(log.now), "head_branch": plan.branch}
    (folder / "summary.json").write_bytes(orjson.dumps(summary | times))


class _Updates:
    def __init__(self, log: Log, prose: Prose, session: str) -> None:
        self._log, self._prose, self._session = log, prose, session
        self._prompt = 0

    def ask(self, text: str) -> None:
        self._prompt += 1
        for chunk in self._chunks(text):
            self._update(
                "user_message_chunk", content={"type": "text", "text": chunk}, _meta={"promptIndex": self._prompt}
            )

    def call(self, call: Call) -> None:
        begun = {"title": call.tool, "kind": "read", "status": "pending", "rawInput": call.given}
        self._update("tool_call", toolCallId=call.id, **begun)
        content = [{"type": "content", "content": {"type": "text", "text": call.output}}]
        self._update("tool_call_update", toolCallId=call.id, status="completed", content=content)

    def answer(self, text: str) -> None:
        for chunk in self._chunks(text):
            self._update("agent_message_chunk", content={"type": "text", "text": chunk})
        self._write("_x.ai/session/update", {"sessionUpdate": "turn_completed", "prompt_id": f"p-{self._prompt}"}, {})

    def _chunks(self, text: str) -> Iterator[str]:
        """Cut a text as it streams: some dozens of characters at a time."""
        while text:
            size = self._prose.random.randint(20, 120)
            yield text[:size]
            text = text[size:]

    def _update(self, update: str, **more: object) -> None:
        self._log.tick()
        meta = {"promptId": f"p-{self._prompt}", "agentTimestampMs": self._log.now, "totalTokens": 1_000}
        self._write("session/update", {"sessionUpdate": update} | more, {"_meta": meta})

    def _write(self, method: str, update: Mapping[str, object], meta: Mapping[str, object]) -> None:
        params = {"sessionId": self._session, "update": update} | meta
        self._log.write({"timestamp": self._log.now // 1000, "method": method, "params": params})
