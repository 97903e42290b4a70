"""PER-1: how long an agent waits for its tools, and what a server holds in memory while nobody asks."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from bench.bars import Row
from bench.generate import generate
from bench.measure import Took, interleaved

_MIB = 1 << 20
_ROUNDS = 15
_PREFIX = "io.modelcontextprotocol/"
_CLIENT = {"name": "bench", "version": "1"}
_META = {f"{_PREFIX}protocolVersion": "2026-07-28", f"{_PREFIX}clientCapabilities": {}, f"{_PREFIX}clientInfo": _CLIENT}
_LEGACY = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": _CLIENT}


@dataclass(frozen=True)
class Server:
    """A running server and its pipes."""

    process: subprocess.Popen[bytes]
    asks: IO[bytes]
    says: IO[bytes]

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        self.asks.write(line.encode() + b"\n")
        self.asks.flush()
        return json.loads(self.says.readline())["result"]

    def memory(self) -> int:
        """Return the bytes the server holds in memory now."""
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text()
        except OSError:
            command = ["ps", "-o", "rss=", "-p", str(self.process.pid)]
            return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout) * 1024
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        return int(found[1]) * 1024 if found else 0


def measure(work: Path) -> Iterator[Row]:
    """Measure PER-1 over a few generated logs, in a working folder."""
    generate(work / "logs", events=1_000, files=10, seed=1)
    works = {"bare": _bare, "legacy": lambda: _listed(work, modern=False), "modern": lambda: _listed(work, modern=True)}
    took = interleaved(works, rounds=_ROUNDS)
    for era in ("legacy", "modern"):
        yield _start(f"first tools/list, {era} client", took[era], took["bare"])
    with _server(work) as server:
        yield from _memories(server)


def _memories(server: Server) -> Iterator[Row]:
    server.ask("tools/list", {"_meta": _META})
    yield _memory("resident after the first list", server.memory())
    while not _found(server):  # the first answers wait for the pass that reads the logs
        pass
    yield _memory("resident while idle, after questions", server.memory())


def _found(server: Server) -> bool:
    arguments = {"name": "search", "arguments": {}}
    content = server.ask("tools/call", {**arguments, "_meta": _META})["content"]
    return bool(json.loads(content[0]["text"])["events"])


def _bare() -> Took:
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return Took(time.perf_counter() - begun, 0.0)


def _listed(work: Path, *, modern: bool) -> Took:
    begun = time.perf_counter()
    with _server(work) as server:
        if not modern:
            server.ask("initialize", _LEGACY)
        server.ask("tools/list", {"_meta": _META} if modern else {})
        return Took(time.perf_counter() - begun, 0.0)


@contextmanager
def _server(work: Path) -> Iterator[Server]:
    home = {"HOME": str(work), "QUOTH_HOME": str(work / "home"), "QUOTH_WORKER": "off"}
    logs = {"CLAUDE_CONFIG_DIR": str(work / "logs" / "claude"), "CODEX_HOME": str(work / "logs" / "codex")}
    command = [str(Path(sysconfig.get_path("scripts")) / "quoth"), "mcp"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, **home, **logs}
    ) as process:
        assert process.stdin
        assert process.stdout
        try:
            yield Server(process, process.stdin, process.stdout)
        finally:
            process.kill()


def _start(work: str, took: Took, bare: Took) -> Row:
    ratio = took.wall / bare.wall
    figure, baseline = f"{took.wall * 1000:.0f} ms", f"python -c pass {bare.wall * 1000:.0f} ms"
    return Row("PER-1", work, figure, baseline, f"{ratio:.1f}x", "<= 8x", ratio <= 8)


def _memory(work: str, held: int) -> Row:
    return Row("PER-1", work, f"{held / _MIB:.0f} MiB", bar="<= 40 MiB", ok=held <= 40 * _MIB)
