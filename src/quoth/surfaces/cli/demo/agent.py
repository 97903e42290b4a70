"""Ask the server as an agent does: start `quoth mcp`, send messages of the protocol as lines, and read the answers."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import click

from quoth.core.model import Json

_SECONDS = 15
_COMMAND = (sys.executable, "-P", "-m", "quoth", "mcp")  # -P: nothing is imported from the folder we are in
_INHERITED = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP", "TZ", "LANG", "LC_ALL")


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request of the agent, and what the server answered."""

    method: str
    params: Mapping[str, Json]
    result: Mapping[str, Json]


def requests(words: str) -> Sequence[tuple[str, Mapping[str, Json]]]:
    """Return what an agent asks: who are you, what can you do, and where was this said."""
    about: Mapping[str, Json] = {"name": "demo-agent", "version": "1"}
    hello: Mapping[str, Json] = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about}
    asked: Mapping[str, Json] = {"name": "search", "arguments": {"query": words, "limit": 1}}
    return [("initialize", hello), ("tools/list", {}), ("tools/call", asked)]


def environment(machine: Mapping[str, str], places: Mapping[str, str]) -> Mapping[str, str]:
    """Return what a process needs of the machine, and the places of the demo: it must not find the person's logs."""
    return {**{name: machine[name] for name in _INHERITED if name in machine}, **places}


def ask(words: str, env: Mapping[str, str], folder: Path) -> Sequence[Exchange]:
    """Start the server in a folder, ask it everything, and let it end.

    Raises:
        ClickException: it does not start, or does not answer.
    """
    asked = requests(words)
    messages = [{"id": number, "method": method, "params": params} for number, (method, params) in enumerate(asked, 1)]
    messages.insert(1, {"method": "notifications/initialized"})
    lines = "".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in messages)
    results = _results(_talk(lines.encode(), env, folder))
    if missing := [method for number, (method, _) in enumerate(asked, 1) if number not in results]:
        raise click.ClickException(f"`quoth mcp` did not answer {missing[0]}.")
    return [Exchange(method, params, results[number]) for number, (method, params) in enumerate(asked, 1)]


def _talk(lines: bytes, env: Mapping[str, str], folder: Path) -> bytes:
    try:
        return subprocess.run(
            _COMMAND,
            input=lines,
            env=dict(env),
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=False,
        ).stdout
    except subprocess.TimeoutExpired as error:
        raise click.ClickException(f"`quoth mcp` did not end within {_SECONDS} seconds.") from error
    except OSError as error:
        raise click.ClickException(
            f"`quoth mcp` can't be started: {error.strerror or 'the system refused'}."
        ) from error


def _results(out: bytes) -> Mapping[int, Mapping[str, Json]]:
    """Return the results by the number of their request; answers come in any order."""
    replies = [cast("dict[str, Json]", json.loads(line)) for line in out.splitlines()]
    return {cast("int", each["id"]): cast("Mapping[str, Json]", each["result"]) for each in replies if "result" in each}
