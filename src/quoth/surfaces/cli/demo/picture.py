"""Make a picture of what a console recorded."""

from __future__ import annotations

import io
import re

from rich.console import Console
from rich.terminal_theme import TerminalTheme

from quoth.surfaces.cli.consoles import LiteralConsole

_WIDTH = 100
_THEME = TerminalTheme(
    (24, 26, 31),
    (214, 218, 226),
    [
        (40, 44, 52),
        (224, 108, 117),
        (126, 192, 110),
        (214, 170, 90),
        (97, 160, 239),
        (198, 140, 224),
        (86, 182, 194),
        (200, 204, 212),
    ],
    [
        (92, 99, 112),
        (240, 130, 138),
        (150, 214, 134),
        (232, 192, 116),
        (126, 180, 248),
        (214, 164, 238),
        (112, 204, 214),
        (255, 255, 255),
    ],
)
_FONT_FACE = re.compile(r"@font-face\s*\{[^}]*\}\s*")
_COMMENT = re.compile(r"<!--.*?-->\s*", re.DOTALL)
_FAMILIES = re.compile(r"font-family:\s*(?:Fira Code|arial)[^;]*;")


def recording() -> Console:
    """Return a console that writes nowhere and remembers everything, styles included."""
    return LiteralConsole(
        file=io.StringIO(),
        record=True,
        width=_WIDTH,
        force_terminal=True,
        color_system="truecolor",
        highlight=False,
        markup=False,
        emoji=False,
    )


def svg(console: Console, title: str) -> str:
    """Return what was recorded as SVG that names no font of the network."""
    text = console.export_svg(title=title, theme=_THEME)
    text = _COMMENT.sub("", _FONT_FACE.sub("", text))
    return _FAMILIES.sub("font-family: ui-monospace, Menlo, Consolas, 'Noto Sans Mono CJK SC', monospace;", text)
