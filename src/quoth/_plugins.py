"""Find extensions by file name: `sources/claude_code.py` is the source `claude-code`. Listing imports nothing.

A name that is a word of the language has an underscore behind it: `commands/import_.py` is the command `import`.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from keyword import iskeyword


@cache
def names(package: str) -> tuple[str, ...]:
    """List the ids of a package's extensions, such as `names("quoth.sources")`; a leading underscore hides a module."""
    from importlib.resources import files  # a door that loads one extension by its name starts without this

    found = (entry.name for entry in files(package).iterdir())
    modules = {name.removesuffix(".py") for name in found if name.endswith(".py") and not name.startswith("_")}
    return tuple(sorted(module.removesuffix("_").replace("_", "-") for module in modules))


def load(package: str, name: str, export: str) -> object:
    """Import one extension and return what it exports, such as `load("quoth.sources", "codex", "ADAPTER")`."""
    module = name.replace("-", "_")
    return getattr(import_module(f"{package}.{module}{'_' if iskeyword(module) else ''}"), export)
