"""Folders that are repositories."""

from __future__ import annotations

from pathlib import Path


def repository(folder: Path, remote: str) -> Path:
    git = folder / ".git"
    for needed in ("objects", "refs"):
        (git / needed).mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "config").write_text(f'[core]\n[remote "origin"]\n\turl = {remote}\n')
    return folder
