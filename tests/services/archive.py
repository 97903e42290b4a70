"""A home of Quoth beside two agents' homes, with what tests need to write logs and compare whole stores."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from quoth.services.ingest import Report
from quoth.wiring import Kernel, Unseen

CLAUDE_SESSION = "6b1c2f6e-8f0a-4d7e-9d55-3a1c5e0f7a11"


class Archive:
    """Everything below one folder; a fresh `Kernel` for each question, as a new process would have."""

    def __init__(self, folder: Path, name: str = "quoth") -> None:
        self.folder = folder
        self.home = folder / name
        self.claude = folder / "claude"
        self.codex = folder / "codex"
        self.project = folder / "work" / "bakery"
        self.env = {
            "HOME": str(folder),
            "QUOTH_HOME": str(self.home),
            "QUOTH_WORKER": "off",
            "CLAUDE_CONFIG_DIR": str(self.claude),
            "CODEX_HOME": str(self.codex),
        }

    def kernel(self) -> Kernel:
        return Kernel(dict(self.env))

    def sync(self, **kwargs: Any) -> Report:
        return self._with(lambda kernel: kernel.ingest.run(Unseen(), **kwargs))

    def rebuild(self) -> int:
        return self._with(lambda kernel: kernel.rebuild.run(Unseen()).events)

    def _with(self, use: Callable[[Kernel], Any]) -> Any:
        kernel = self.kernel()
        try:
            return use(kernel)
        finally:
            kernel.close()

    def ask(self, use: Callable[[Kernel], Any]) -> Any:
        """Answer a question with a kernel of its own."""
        return self._with(use)

    def answers(self) -> dict[str, Any]:
        """Return everything the archive would answer: sessions, their events in order, and all places of each event."""
        return self._with(_answers)

    def events(self) -> list[dict[str, Any]]:
        answers = self.answers()
        return [event for session in answers["sessions"] for event in answers["events"][session["session"]]]

    def spoken(self) -> list[str]:
        return [event["text"] for event in self.events() if event["kind"] == "message"]

    def search(self, query: str, **kwargs: Any) -> list[dict[str, Any]]:
        return self._with(lambda kernel: kernel.search.run(query, **kwargs)["events"])

    # --- logs ---

    def log(self, session: str = CLAUDE_SESSION, folder: str = "-work-bakery") -> Path:
        path = self.claude / "projects" / folder / f"{session}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def rollout(self, thread: str, day: str = "2026/10/19", stamp: str = "2026-10-19T16-20-31") -> Path:
        path = self.codex / "sessions" / day / f"rollout-{stamp}-{thread}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def record(self, text: str, *, n: int, session: str = CLAUDE_SESSION, role: str = "user", **more: Any) -> bytes:
        """Return one line as Claude Code writes it; `n` makes its uuid and its time."""
        content = text if role == "user" else [{"type": "text", "text": text}]
        value = {
            "type": role,
            "uuid": str(uuid.UUID(int=0x5EED_0000_0000_4000_8000_0000_0000_0000 + n)),
            "parentUuid": None,
            "isSidechain": False,
            "message": {"role": role, "content": content, "model": "claude-opus-5"},
            "timestamp": f"2026-10-19T{8 + n // 3600 % 15:02}:{n // 60 % 60:02}:{n % 60:02}.000Z",
            "sessionId": session,
            "cwd": str(self.project),
            "version": "2.1.270",
            "gitBranch": "main",
            **({"origin": {"kind": "human"}, "promptSource": "typed"} if role == "user" else {}),
            **more,
        }
        return json.dumps(value, ensure_ascii=False).encode() + b"\n"

    def records(self, texts: Iterable[str], *, first: int = 1, session: str = CLAUDE_SESSION) -> list[bytes]:
        roles = ("user", "assistant")
        return [self.record(text, n=first + i, session=session, role=roles[i % 2]) for i, text in enumerate(texts)]


def _answers(kernel: Kernel) -> dict[str, Any]:
    sessions = kernel.timeline.sessions(since=None, limit=500)["sessions"]
    events = {
        row["session"]: kernel.timeline.session(row["session"], source=row["source"], include_tools=True, limit=500)[
            "events"
        ]
        for row in sessions
    }
    sources = {event["id"]: kernel.sources.run(event["id"]) for listed in events.values() for event in listed}
    details = {event["id"]: kernel.get.run(event["id"]) for listed in events.values() for event in listed}
    return {"sessions": sessions, "events": events, "sources": sources, "details": details}
