"""Know what Claude Code's files are from their names alone."""

from __future__ import annotations

import re
from dataclasses import dataclass

from quoth.core.model import Form, Found
from quoth.readers import compressed
from quoth.sources._values import is_name

PATTERNS = (
    "projects/*/*.jsonl",
    "projects/*/*/subagents/**/*.jsonl",
    "projects/*/*/subagents/**/*.meta.json",
    "projects/*/*/custom-title.json",
)

_JOURNAL = "journal.jsonl"  # the steps of a workflow, beside the transcripts of its agents
_TITLE = "custom-title.json"
_META = ".meta.json"
_HEAD = 1 << 20  # bytes that are looked at to tell a fork from its original
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LogFile:
    """A file by its name: the `session` it is about and, of a subagent, the `parent` it works for.

    `side` is the type of the only record of a side file, "" for a transcript. A name that the agent did not give
    (`is_given` is false) says less than the records do.
    """

    session: str
    parent: str | None = None
    is_agent: bool = False
    is_given: bool = True
    side: str = ""


def log_file(key: str) -> LogFile:
    folder, file = key.split("/")[2:-1], key.rpartition("/")[2]
    above = folder[0] if folder and is_name(folder[0]) else None
    if file == _TITLE:
        return LogFile(above or _printable("/".join(folder)), side="custom-title")
    stem = _printable(file.removesuffix(".jsonl").removesuffix(_META))
    if file.endswith(_META):
        return LogFile(stem, above, is_agent=True, side="agent-meta")
    is_agent = above is not None or stem.startswith("agent-")
    return LogFile(stem, above, is_agent, is_given=is_agent or _UUID.fullmatch(stem) is not None)


def is_read(key: str) -> bool:
    return key.rpartition("/")[2] != _JOURNAL


def form_of(key: str) -> Form:
    return Form.LOG if key.endswith(".jsonl") else Form.FILE


def identity_of(key: str) -> str:
    """Return what stays when a session moves to another project's folder: the path below that folder."""
    return key.split("/", 2)[-1]


def project_of(key: str) -> str:
    """Return the folder of the project that a file belongs to; its transcripts are listed before what is below it."""
    return "/".join(key.split("/", 2)[:2])


def first_run(found: Found) -> int:
    """Count the records with a uuid before the first line without one.

    A fork repeats the conversation of its original in one go and leaves the bookkeeping out, which in the original
    stands between the turns: so of two files that hold the same records the original has the shorter run.
    """
    run, begun, read = 0, b"", 0
    for chunk in compressed.chunks(found.path, compressed=found.compressed):
        *lines, begun = (begun + chunk).split(b"\n")
        for line in lines:
            if b'"uuid":' in line:
                run += 1
            elif run:
                return run
        read += len(chunk)
        if read >= _HEAD:
            break
    return run


def _printable(stem: str) -> str:
    return stem if is_name(stem) else re.sub(r"[^A-Za-z0-9_.-]+", "-", f"file-{stem}")[:100]
