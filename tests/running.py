"""Run the real `quoth` command as a process that sees nothing of the machine but a private home."""

from __future__ import annotations

import json
import os
import subprocess
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_INHERITED = ("PATH", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "LD_LIBRARY_PATH", "COVERAGE_PROCESS_START")
_LONGEST = 120  # seconds; a hanging command fails its test instead of the whole run


@dataclass(frozen=True)
class Completed:
    """What a command answered: its exit status, standard output and standard error."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)


@dataclass(frozen=True)
class Run:
    """Calls `quoth`. `person` is the person's home folder, where agents keep their logs; `home` is the store."""

    person: Path
    home: Path

    def environment(self, env: Mapping[str, str | None] | None = None) -> dict[str, str]:
        """Return a fresh environment; nothing of an agent that runs the tests gets in. None takes a variable out."""
        kept = {name: os.environ[name] for name in _INHERITED if name in os.environ}
        fixed = {"HOME": str(self.person), "USERPROFILE": str(self.person), "QUOTH_HOME": str(self.home)}
        plain = {"TZ": "UTC", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "COLUMNS": "120", "QUOTH_WORKER": "off"}
        merged: dict[str, str | None] = {**kept, **fixed, **plain, **(env or {})}
        return {name: value for name, value in merged.items() if value is not None}

    def command(self, *args: str | os.PathLike[str]) -> list[str]:
        """Return the argument list of a call, for tests that start, signal or time the process themselves."""
        return [str(Path(sysconfig.get_path("scripts")) / "quoth"), *(os.fspath(arg) for arg in args)]

    def __call__(
        self,
        *args: str | os.PathLike[str],
        env: Mapping[str, str | None] | None = None,
        stdin: str | bytes = b"",
        cwd: Path | None = None,
        check: bool = True,
    ) -> Completed:
        """Run `quoth ARGS` to its end; `check` demands exit status 0."""
        done = subprocess.run(
            self.command(*args),
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            env=self.environment(env),
            cwd=cwd or self.person,
            capture_output=True,
            timeout=_LONGEST,
            check=False,
        )
        completed = Completed(done.returncode, done.stdout.decode(), done.stderr.decode())
        assert completed.code == 0 or not check, f"quoth {args} ended with {completed.code}:\n{completed.err}"
        return completed
