"""Files of hosts as people and programs write them: any layout, any line end, with and without a byte order mark."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from quoth.hosts._servers import JsonServers
from quoth.hosts.claude_code import ClaudeCode

_BOM = st.sampled_from(["", "\ufeff"])
_WORDS = st.text(st.sampled_from('ab{}[],:"\\/*# \n\téж记\u2028😀'), max_size=6)


class WithComments(ClaudeCode):
    """A host like Claude Code whose file may hold comments and trailing commas."""

    comments = True


# --- JSON -----------------------------------------------------------------------------------------------------------


def _values() -> st.SearchStrategy[Any]:
    leaves = st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), _WORDS
    )
    return st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_WORDS, inner, max_size=3), max_leaves=6
    )


_OTHERS = st.dictionaries(st.sampled_from(["other", "a b", "", "é"]), st.just({"command": "x"}) | _values(), max_size=3)


@st.composite
def json_texts(draw: st.DrawFn, *, comments: bool = False) -> str:
    """Return a JSON object in some layout; it may be empty, without servers, or the file may hold nothing at all."""
    if draw(st.integers(0, 20)) == 0:
        return draw(st.sampled_from(["", "\n", " \r\n"]))
    members = draw(st.dictionaries(_WORDS, _values(), max_size=3))
    if draw(st.booleans()):
        members = {**members, JsonServers.place[0]: draw(_OTHERS)}
    members = dict(draw(st.permutations(list(members.items()))))
    layout = draw(st.sampled_from(["wild", "compact", "two", "tab"]))
    if layout != "wild" and not comments:
        indent = {"compact": None, "two": 2, "tab": "\t"}[layout]
        text = json.dumps(members, indent=indent, ensure_ascii=draw(st.booleans())) + draw(st.sampled_from(["", "\n"]))
        text = text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))
    else:
        text = _laid_out(draw, members, comments=comments)
    return draw(_BOM) + text


def _laid_out(draw: st.DrawFn, value: Any, *, comments: bool) -> str:
    space = st.text(st.sampled_from(" \t\n\r"), max_size=3)
    if comments:
        space |= st.sampled_from([" // note, }\n", "/* { , */", '\n  // "a": 1,\r\n', " /**/ "])

    def gap() -> str:
        return draw(space)

    def render(value: Any) -> str:
        if isinstance(value, dict):
            return _joined("{}", [f"{json.dumps(k)}{gap()}:{gap()}{render(v)}" for k, v in value.items()])
        if isinstance(value, list):
            return _joined("[]", [render(each) for each in value])
        return json.dumps(value, ensure_ascii=False)

    def _joined(brackets: str, parts: list[str]) -> str:
        inner = ",".join(f"{gap()}{part}{gap()}" for part in parts) or gap()
        trailing = "," + gap() if comments and parts and draw(st.booleans()) else ""
        return brackets[0] + inner + trailing + brackets[1]

    return gap() + render(value) + gap()


# --- TOML -----------------------------------------------------------------------------------------------------------

_STATEMENTS = [
    "# a comment with [mcp_servers.quoth] in it",
    "",
    "   ",
    'model = "gpt" # why',
    "notify = [\n  'a', # [b]\n  \"]\",\n]",
    'text = """\n[mcp_servers.quoth]\ncommand = "quoth"\n# no \\""""',
    "raw = '''\n[x]\n''''",
    "day = 1979-05-27T07:32:00Z",
    "nothing = nan",
    'inline = { a = 1, "b.c" = [2, 3] }',
    "dotted.key.here = true",
    "\"quoted = key\" = 'x'",
]
_TABLES = [
    '[projects."/home/ada/w]x"]\ntrust_level = "trusted"',
    "  [ indented . table ] # said\n  key = 1",
    "[[skills]]\nname = 'a'\n\n[[skills]]\nname = 'b'",
    '[mcp_servers.other]\ncommand = \'npx\'\nargs = ["-y",\n  "x"]\n\n[mcp_servers.other.env]\nTOKEN = "t" # mine',
    "[mcp_servers]",
    "[empty]",
    "# only a comment",
]


@st.composite
def toml_texts(draw: st.DrawFn) -> str:
    """Return a valid TOML text of some of these pieces, each once."""
    statements = draw(st.lists(st.sampled_from(_STATEMENTS), unique=True, max_size=6))
    tables = draw(st.lists(st.sampled_from(_TABLES), unique=True, max_size=4))
    gap = draw(st.sampled_from(["\n", "\n\n", "\n\n# --- \n\n"]))
    text = gap.join(["\n".join(statements), *tables]) if tables else "\n".join(statements)
    text += draw(st.sampled_from(["", "\n", "\n\n\n", "\n# the end"]))
    return draw(_BOM) + text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))
