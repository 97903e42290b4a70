"""Find the folder a session of Cursor worked in: a workspace's own file, a URI, or the path behind a lossy name."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit

import orjson

from quoth.core.errors import ReadFailed
from quoth.core.names import printable_path
from quoth.readers import compressed
from quoth.sources._values import Record, inner, is_name, text

_SCHEMES = frozenset({"file", "vscode-remote"})
_DRIVE = re.compile(r"/?[A-Za-z]:[/\\]")
_ABSOLUTE = re.compile(r"/|[A-Za-z]:[/\\]")
_NO_WORD = re.compile(r"[^A-Za-z0-9]+")
_LONGEST = 4_096  # characters of a path


def workspace_folder(user: Path, workspace: str) -> str | None:
    """Return the folder that `workspaceStorage/<workspace>/workspace.json` names."""
    if not is_name(workspace):
        return None
    file = user / "workspaceStorage" / workspace / "workspace.json"
    try:
        said = orjson.loads(next(compressed.chunks(file, compressed=False), b""))
    except (ReadFailed, ValueError):
        return None
    return of_workspace(said) if isinstance(said, dict) else None


def of_workspace(said: Record) -> str | None:
    """Return the folder of `{folder}`, or the one that holds the workspace file of `{workspace}`."""
    if folder := of_uri(text(said, "folder")):
        return folder
    file = of_uri(text(said, "workspace"))
    return file.rpartition("/")[0] or None if file and file.endswith(".code-workspace") else None


def of_identifier(said: Record) -> str | None:
    """Return the folder of a `workspaceIdentifier`."""
    uri = inner(said, "uri")
    path = text(uri, "fsPath") or of_uri(text(uri, "external")) or text(uri, "path")
    return path[:_LONGEST] or None


def of_uri(uri: str) -> str | None:
    """Return the path of a `file:` or `vscode-remote:` URI."""
    try:
        parts = urlsplit(uri[:_LONGEST])
    except ValueError:
        return None
    path = unquote(parts.path) if parts.scheme in _SCHEMES else ""
    return (path[1:] if _DRIVE.match(path) else path) or None


def folder_named(slug: str, said: Record) -> str | None:
    """Return the folder whose name under `projects/` is `slug`, when an absolute path among the values lies in it.

    The agent writes every run of other characters as one `-`, so a name alone tells no path, but a path its name.
    """
    wanted = _slug(slug)
    for value in said.values():
        if wanted and isinstance(value, str) and len(value) <= _LONGEST and _ABSOLUTE.match(value):
            for folder in _above(value):
                if _slug(folder) == wanted:
                    return folder
    return None


def folder_on_disk(slug: str, top: Path, inside: Callable[[Path], Sequence[str]]) -> str | None:
    """Return a folder of this machine whose name under `projects/` is `slug`; `inside` lists the folders in one."""
    drive = _slug(top.anchor)
    if drive and slug[: len(drive) + 1].casefold() != f"{drive}-".casefold():
        return None
    return next(_spelled(top, slug[len(drive) + 1 :] if drive else slug, inside), None)


def folders_in(folder: Path) -> Sequence[str]:
    """Return the names of the folders in one; none when it can't be looked into."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry in entries if entry.is_dir())
    except OSError:
        return ()


def _spelled(folder: Path, rest: str, inside: Callable[[Path], Sequence[str]]) -> Iterator[str]:
    for name in inside(folder) if rest else ():
        word = _slug(name)
        if word == rest:
            yield printable_path(str(folder / name))
        elif word and rest.startswith(f"{word}-"):
            yield from _spelled(folder / name, rest[len(word) + 1 :], inside)


def _above(path: str) -> Iterator[str]:
    yield path.rstrip("/\\")
    for match in reversed(list(re.finditer(r"[/\\]", path))):
        yield path[: match.start()]


def _slug(path: str) -> str:
    return _NO_WORD.sub("-", path).strip("-")
