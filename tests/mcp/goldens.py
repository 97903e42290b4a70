"""What every dialect shows of itself, kept beside the other samples: `python tests/mcp/goldens.py` writes it anew."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from quoth import _plugins
from quoth.surfaces.mcp.archive import Archive
from quoth.surfaces.mcp.dialect import Dialect
from quoth.surfaces.mcp.door import load

DATA = Path(__file__).parents[1] / "data" / "dialects"
NAMES = _plugins.names("quoth.surfaces.mcp.dialects")
ARCHIVES = ("origin", "quoth")  # dialects whose tools are verbs over archive and memory


def dialect(name: str) -> Dialect[Archive]:
    found = load(name)
    assert found is not None
    return found


def shown(name: str) -> Any:
    shape = {"instructions": dialect(name).instructions, "tools": [tool.shape() for tool in dialect(name).tools]}
    return json.loads(json.dumps(shape))


def golden(name: str) -> Path:
    return DATA / name / "tools.json"


def write() -> None:
    for name in NAMES:
        golden(name).parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(shown(name), ensure_ascii=False, indent=2)
        golden(name).write_text(f"{text}\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    sys.exit(write())
