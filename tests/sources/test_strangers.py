"""Adapters are strangers to one another: what two of them need stands in a module that is named after its purpose."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from quoth._plugins import names

FOLDER = Path(__file__).parents[2] / "src/quoth/sources"
SHORT = {"claude-code": "claude", "copilot-cli": "copilot", "gemini-cli": "gemini"}  # names of private modules
OWNERS = sorted([*(name.replace("-", "_") for name in names("quoth.sources")), *SHORT.values()], key=len, reverse=True)


def owner(module: str) -> str | None:
    """Return the adapter that a module belongs to by its name; None for what all may use."""
    own = module.removeprefix("_")
    found = next((name for name in OWNERS if own == name or own.startswith(f"{name}_")), None)
    return {short: name.replace("-", "_") for name, short in SHORT.items()}.get(found or "", found)


def imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "quoth.sources":
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("quoth.sources."):
            yield (node.module or "").split(".")[2]


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.py")), ids=lambda file: file.stem)
def test_a_module_imports_nothing_of_another_adapter(file: Path) -> None:
    own = owner(file.stem)
    strangers = {module for module in imported(file) if owner(module) not in {None, own}}
    assert strangers == set()


def test_private_modules_are_told_apart_by_their_names() -> None:
    assert [owner(name) for name in ("_grok_cli_rows", "_grok_words", "grok", "_claude_text", "_values")] == [
        "grok_cli",
        "grok",
        "grok",
        "claude_code",
        None,
    ]
