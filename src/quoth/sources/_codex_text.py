"""Turn payloads of Codex into text; what is no text becomes a short mark, what is encrypted becomes nothing."""

from __future__ import annotations

from collections.abc import Iterator

import orjson

from quoth.sources._text import DATA_URL, LONG, compact, size, without_data
from quoth.sources._values import Record, inner, text

_DEEPEST = 8  # of content inside content; what lies deeper is no text
_SECRET = "encrypted_content"

# What a completed item or an older event shows of itself, in this order.
_SHOWN = ("server", "tool", "command", "query", "arguments", "path", "text", "summary_text", "raw_content", "fragments")
_SHOWN_LATER = ("prompt", "message", "user_facing_hint", "review_output", "review", "goal", "explanation", "plan")
_OUTPUTS = ("aggregated_output", "aggregatedOutput", "formatted_output", "stdout")
_RESULTS = ("stderr", "result", "content_items", "contentItems", "error")


def plain(value: object, depth: int = 0) -> str:
    """Return the text of a content: a string, a list of parts, or one part."""
    if isinstance(value, str):
        return without_data(value)
    if depth > _DEEPEST:
        return ""
    if isinstance(value, list):
        return "\n".join(filter(None, (plain(part, depth + 1) for part in value)))
    return _part(value, depth) if isinstance(value, dict) else "" if value is None else str(value)


def _part(part: Record, depth: int) -> str:
    if isinstance(part.get("text"), str):
        return without_data(text(part, "text"))
    if "image" in text(part, "type").lower():
        return mark(part)
    for key in ("content", "Ok", "Err", "output", "body"):
        if key in part:
            return plain(part[key], depth + 1)
    readable = _readable(part)
    return without_data(compact(readable)) if readable != {"type": part.get("type")} else ""


def _readable(value: object, depth: int = 0) -> object:
    """Leave out what is encrypted, and what lies too deep to be read by anyone."""
    if depth > _DEEPEST:
        return None
    if isinstance(value, dict):
        return {key: _readable(inside, depth + 1) for key, inside in value.items() if key != _SECRET}
    return [_readable(inside, depth + 1) for inside in value] if isinstance(value, list) else value


def said(part: Record) -> str:
    """Return the words of one part of a message; an image has none."""
    return without_data(text(part, "text"))


def mark(part: Record) -> str:
    """Name an image by type and size: `[image image/png, 24 KB]`; of an address only that there is an image."""
    source = inner(part, "image_url") or part
    address = text(source, "url") or text(part, "image_url") or text(part, "data") or text(part, "result")
    return image(address, media=text(part, "mimeType")[:60], path=text(part, "path"))


def image(address: str, *, media: str = "", path: str = "") -> str:
    if found := DATA_URL.match(address):
        return f"[image {found[1] or media or 'data'}, {size(len(found[2]))}]"
    if len(address) >= LONG or (address and media):
        return f"[image {media or 'data'}, {size(len(address))}]"
    return f"[image {path[:500]}]" if path else "[image]"


def call(payload: Record) -> str:
    """Return the name of a tool and what it was called with."""
    tool = " ".join(filter(None, [text(payload, "namespace"), text(payload, "name")]))
    with_what = text(payload, "arguments") or text(payload, "input") or plain(payload.get("arguments"))
    return without_data("\n".join(filter(None, [tool or text(payload, "type"), with_what or _action(payload)])))


def _action(payload: Record) -> str:
    action = inner(payload, "action")
    command = _command(action.get("command"))
    shown = [command, *(text(action, key) for key in ("query", "url", "pattern"))]
    return "\n".join(filter(None, [*shown, plain(action.get("queries")), text(payload, "revised_prompt")]))


def output(payload: Record) -> str:
    """Return what a tool answered; older versions wrapped it in JSON."""
    answer = payload.get("output", payload.get("tools", payload.get("execution")))
    if isinstance(answer, str) and answer.startswith("{"):
        return plain(_unwrapped(answer))
    return plain(answer)


def _unwrapped(answer: str) -> object:
    try:
        wrapped = orjson.loads(answer)
    except ValueError:
        return answer
    return wrapped["output"] if isinstance(wrapped, dict) and isinstance(wrapped.get("output"), str) else answer


def reasoning(payload: Record) -> str:
    return "\n".join(filter(None, [plain(payload.get("summary")), plain(payload.get("content"))]))


def shown(payload: Record) -> str:
    """Return what a completed item or an older event says that is text."""
    return "\n".join(filter(None, _shown({**payload, **inner(payload, "invocation")})))


def _shown(payload: Record) -> Iterator[str]:
    for key in (*_SHOWN, *_SHOWN_LATER):
        if key in payload:
            yield _command(payload[key]) if key == "command" else plain(payload[key])
    for path, change in inner(payload, "changes").items():
        yield f"{path}\n{_change(change)}".rstrip()
    yield next((plain(payload[key]) for key in _OUTPUTS if payload.get(key)), "")
    for key in _RESULTS:
        yield plain(payload.get(key))


def _change(change: object) -> str:
    if not isinstance(change, dict):
        return ""
    update = inner(change, "update") or inner(change, "add") or change
    return without_data(text(update, "unified_diff") or text(update, "diff") or text(update, "content"))


def _command(command: object) -> str:
    if isinstance(command, list):
        return " ".join(word for word in command if isinstance(word, str))
    return plain(command)
