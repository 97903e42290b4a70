"""Read the messages of a Claude export: blocks in their order, and what was attached."""

from __future__ import annotations

from collections.abc import Iterator

from quoth.core.ids import digest16
from quoth.core.model import Kind, Role
from quoth.sources._exports_pieces import Piece
from quoth.sources._own import is_own_server, is_own_tool
from quoth.sources._text import compact, mark, without_blobs
from quoth.sources._values import Record, blocks, items, name, text

_SENDERS = {"human": Role.USER, "assistant": Role.ASSISTANT}
_WORDS = {"text": Kind.MESSAGE, "voice_note": Kind.MESSAGE, "thinking": Kind.META}
_USES = {"tool_use": Kind.TOOL_USE, "tool_result": Kind.TOOL_RESULT}
_ASIDE = frozenset({"flag", "token_budget"})
_PICTURES = frozenset({"document", "image"})


def pieces(conversation: str, message: Record) -> Iterator[Piece]:
    """Yield the blocks of a message, then its attachments; every message gives at least one piece."""
    own_id = name(message, "uuid") or digest16(conversation.encode(), compact(message).encode("utf-8", "replace"))
    sender = text(message, "sender")
    role = _SENDERS.get(sender, Role.SYSTEM)
    found = [*_said(f"claude:{own_id}", role, message), *_attached(f"claude:{own_id}", role, message)]
    if sender not in _SENDERS:
        yield Piece(f"claude:{own_id}", role, Kind.META, compact(message), unknown=f"sender/{sender[:60] or 'nobody'}")
    elif found:
        yield from found
    else:
        yield Piece(f"claude:{own_id}", role, Kind.META, "")


def _said(own_id: str, role: Role, message: Record) -> Iterator[Piece]:
    """Yield the blocks. The first text has the message's own id: older exports hold nothing but that text."""
    content = blocks(message.get("content")) or blocks(text(message, "text") or None)
    first = next((n for n, block in enumerate(content) if text(block, "type") == "text"), None)
    for n, block in enumerate(content):
        piece = _block(own_id if n == first else f"{own_id}#{n}", role, block)
        if piece.text.strip() or piece.kind is not Kind.MESSAGE:
            yield piece


def _block(id_: str, role: Role, block: Record) -> Piece:
    kind = text(block, "type")
    if kind in _USES:
        tool = " ".join(filter(None, [text(block, "integration_name"), text(block, "name")]))[:200]
        words = f"{tool}\n{compact(block.get('input'))}" if kind == "tool_use" else _result(block)
        return Piece(id_, role, _USES[kind], without_blobs(words), tool, _is_own(block))
    if kind in _WORDS:
        words = "\n".join(filter(None, [text(block, "title"), text(block, "text"), text(block, "thinking")]))
        return Piece(id_, role, _WORDS[kind], without_blobs(words))
    if kind in _PICTURES:
        return Piece(id_, role, Kind.META, mark(block))
    if kind in _ASIDE:
        return Piece(id_, role, Kind.META, "")
    return Piece(id_, role, Kind.META, without_blobs(compact(block)), unknown=f"block/{kind[:60] or 'untyped'}")


def _is_own(block: Record) -> bool:
    return is_own_server(text(block, "integration_name").strip().lower()) or is_own_tool(text(block, "name"))


def _result(block: Record) -> str:
    parts = blocks(block.get("content"))
    shown = (text(part, "text") or text(part, "title") or (mark(part) if part.get("source") else "") for part in parts)
    return "\n".join(filter(None, shown))


def _attached(own_id: str, role: Role, message: Record) -> Iterator[Piece]:
    for n, attachment in enumerate(items(message, "attachments")):
        words = "\n".join(filter(None, [_file(attachment), text(attachment, "extracted_content")]))
        yield Piece(f"{own_id}:attachment{n}", role, Kind.META, without_blobs(words))
    if files := [_file(file) for file in [*items(message, "files"), *items(message, "files_v2")]]:
        yield Piece(f"{own_id}:files", role, Kind.META, "\n".join(files))


def _file(attachment: Record) -> str:
    return f"[file {' '.join(text(attachment, 'file_name').split())[:200]}".rstrip() + "]"
