"""The real agents from the npm registry, in the cache of the tests: never silently missing."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

SOURCE = Path(__file__).parent / "agents"
PATTERNS = {
    "claude": "node_modules/@anthropic-ai/claude-code-*/claude",
    "codex": "node_modules/@openai/codex-*/vendor/*/bin/codex",
}
_INSTALLING = 240  # seconds; a slow network skips these tests instead of holding up the others
_ANSWERING = 60


@dataclass(frozen=True)
class Agent:
    """A real agent that sees nothing of the machine but a person's folder, and asks nobody for updates."""

    program: Path
    person: Path

    @property
    def env(self) -> dict[str, str]:
        quiet = ("DISABLE_AUTOUPDATER", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_TELEMETRY", "NO_COLOR")
        return {"HOME": str(self.person), "PATH": os.environ["PATH"], "TERM": "dumb", **dict.fromkeys(quiet, "1")}

    def run(self, *words: str, cwd: Path) -> str:
        """Run the agent to its end and return what it prints."""
        done = subprocess.run(
            [self.program, *words],
            cwd=cwd,
            env=self.env,
            capture_output=True,
            text=True,
            timeout=_ANSWERING,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def ask(self, messages: Sequence[Mapping[str, Any]], *, until: int, cwd: Path) -> Any:
        """Talk JSON lines to the agent until it answers one id, and return that result."""
        command = [self.program, "app-server"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        with subprocess.Popen(command, cwd=cwd, env=self.env, text=True, **pipes) as process:
            bound = threading.Timer(_ANSWERING, process.kill)
            bound.start()
            try:
                process.stdin.write("".join(json.dumps(message) + "\n" for message in messages))
                process.stdin.flush()
                answers = (json.loads(line) for line in process.stdout)
                return next(answer["result"] for answer in answers if answer.get("id") == until)
            finally:
                bound.cancel()
                process.kill()


def agent(name: str, cache: Path, person: Path) -> Agent:
    """Return an installed agent; skip the test, saying why, where it can't be had."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed, so no real agent was linked")
    folder = cache / hashlib.sha256((SOURCE / "package-lock.json").read_bytes()).hexdigest()[:12]
    with FileLock(f"{folder}.lock"):
        if not (folder / "node_modules/.package-lock.json").exists():
            _install(npm, folder)
    found = next(folder.glob(PATTERNS[name]), None)
    if found is None:
        pytest.skip(f"{name} has no program for this system, so it was not linked")
    return Agent(found, person)


def _install(npm: str, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(SOURCE, folder)
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=_INSTALLING,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        why = " ".join(line for line in done.stderr.splitlines() if line.startswith("npm error"))[:300]
    except subprocess.TimeoutExpired:
        done, why = None, f"it took longer than {_INSTALLING} seconds"
    if done is None or done.returncode:
        shutil.rmtree(folder, ignore_errors=True)
        pytest.skip(f"npm ci failed, so no real agent was linked: {why}")
