"""Cut exports into rows: one for each conversation as a whole, one for each message, one for a text.

The last row of each says that it is `complete`, by a hash over the bytes that it was read from; what could not be read
is known by the hash of its line. What a reader has seen whole is not yielded again. Values are exact; of JSON the
blanks between them are not kept, of a text every byte is.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator
from fnmatch import fnmatchcase

import orjson

from quoth.core.ids import digest16
from quoth.core.model import Found
from quoth.readers import archive, compressed
from quoth.readers.elements import TooLarge, elements
from quoth.sources._values import Record, name

JSON = ("**/conversations*.json", "**/*[Cc]hat[Gg][Pp][Tt]*.json", "**/*[Cc]laude*.json")
ARCHIVES = ("**/*.zip",)
TEXTS = ("**/*.md", "**/*.markdown", "**/*.txt")
LARGEST_TEXT = 16 << 20

CHATGPT, CHATGPT_MESSAGE = "chatgpt/conversation", "chatgpt/message"
CLAUDE, CLAUDE_MESSAGE = "claude/conversation", "claude/message"
TEXT, TOO_LARGE, UNKNOWN = "text", "too-large", "unknown"

LARGEST = 64 << 20  # bytes of one conversation
_ACCOUNT = "account"  # whose conversation it is: ids, in older exports an e-mail address
_ENCODINGS = ("utf-8", "utf-16", "cp1252", "latin-1")  # the last can hold any byte
_NAMES = "conversations*.json"  # inside an archive


def changed_rows(found: Found, completed: Collection[str], *, largest: int = LARGEST) -> Iterator[bytes]:
    """Yield, as JSON lines, what a file holds that was not yet seen whole."""
    base = found.key.rpartition("/")[2].lower()
    if base.endswith(".zip"):
        for _, pieces in archive.contents(found.path, lambda name: fnmatchcase(name.lower(), _NAMES)):
            yield from _conversations(pieces, completed, largest)
    elif base.endswith(".json"):
        yield from _conversations(_content(found), completed, largest)
    else:
        yield from _text(b"".join(_bounded(_content(found))), completed)


def _content(found: Found) -> Iterator[bytes]:
    return compressed.chunks(found.path, compressed=found.compressed)


def _bounded(pieces: Iterable[bytes]) -> Iterator[bytes]:
    left = LARGEST_TEXT
    for piece in pieces:
        yield piece[:left]
        if (left := left - len(piece)) <= 0:
            return


def _text(whole: bytes, completed: Collection[str]) -> Iterator[bytes]:
    digest = digest_of(whole)
    if digest not in completed and whole.strip():
        encoding = next(each for each in _ENCODINGS if _is_in(whole, each))
        yield _row({"type": TEXT, "encoding": encoding, "text": whole.decode(encoding), "complete": digest})


def _is_in(whole: bytes, encoding: str) -> bool:
    if encoding == "utf-16" and not whole.startswith((b"\xff\xfe", b"\xfe\xff")):
        return False
    try:
        return whole.decode(encoding) is not None
    except ValueError:
        return False


def _conversations(pieces: Iterable[bytes], completed: Collection[str], largest: int) -> Iterator[bytes]:
    for element in elements(pieces, largest=largest):
        if isinstance(element, TooLarge):
            digest = digest_of(f"{TOO_LARGE} {element.size}".encode())
            rows = [_row({"type": TOO_LARGE, "bytes": element.size, "complete": digest})]
            yield from rows if digest not in completed else []
            continue
        line = element.translate(_ONE_LINE)
        if (digest := digest_of(line)) not in completed:
            yield from _written(line, digest)


def _written(line: bytes, digest: str) -> list[bytes]:
    """Return the rows of a conversation; what can't be read as one stands in a single line, as it is."""
    value = _parsed(line)
    rows = list(_rows(value)) if isinstance(value, dict) else []
    if not rows:
        return [line]
    rows[-1]["complete"] = digest
    try:
        return [_row(row) for row in rows]
    except RecursionError:  # nested too deeply to be written again
        return [line]


def _rows(conversation: Record) -> Iterator[dict[str, object]]:
    if isinstance(mapping := conversation.get("mapping"), dict):
        own_id = _id(conversation, "conversation_id", "id")
        yield {"type": CHATGPT, "id": own_id, "conversation": _without(conversation, "mapping")}
        for node in _in_order(mapping):
            if not isinstance(node, dict) or node.get("message") is not None:
                yield {"type": CHATGPT_MESSAGE, "conversation": own_id, "node": node}
    elif isinstance(messages := conversation.get("chat_messages"), list):
        own_id = _id(conversation, "uuid")
        yield {"type": CLAUDE, "id": own_id, "conversation": _without(conversation, "chat_messages")}
        yield from ({"type": CLAUDE_MESSAGE, "conversation": own_id, "message": message} for message in messages)
    else:
        yield {"type": UNKNOWN, "keys": sorted(map(str, conversation))[:20]}


def _in_order(mapping: Record) -> Iterator[object]:
    """Yield the nodes of a tree, each branch to its end; what hangs nowhere comes as it is listed."""
    seen: set[str] = set()
    for root in [*(key for key, node in mapping.items() if _parent(node) not in mapping), *mapping]:
        waiting = [root]
        while waiting:
            key = waiting.pop()
            if key in seen or key not in mapping:
                continue
            seen.add(key)
            yield mapping[key]
            waiting.extend(reversed(_children(mapping[key])))


def _parent(node: object) -> str | None:
    parent = node.get("parent") if isinstance(node, dict) else None
    return parent if isinstance(parent, str) else None


def _children(node: object) -> list[str]:
    children = node.get("children") if isinstance(node, dict) else None
    return [child for child in children if isinstance(child, str)] if isinstance(children, list) else []


def _id(conversation: Record, *keys: str) -> str:
    given = next((own_id for key in keys if (own_id := name(conversation, key))), "")
    said = [repr(conversation.get(key)) for key in ("title", "name", "create_time", "created_at")]
    return given or f"unnamed-{digest16(*(part.encode('utf-8', 'replace') for part in said))}"


def _without(conversation: Record, *keys: str) -> dict[str, object]:
    return {key: value for key, value in conversation.items() if key not in {*keys, _ACCOUNT}}


def digest_of(whole: bytes) -> str:
    return hashlib.sha256(whole).hexdigest()[:12]


def _parsed(element: bytes) -> object:
    try:
        return orjson.loads(element)
    except ValueError:  # also for half of a surrogate pair
        pass
    try:
        return json.loads(element.decode("utf-8", "surrogateescape"), strict=False)
    except (ValueError, RecursionError):
        return None


def _row(value: dict[str, object]) -> bytes:
    try:
        return orjson.dumps(value)
    except TypeError:  # half of a surrogate pair, which only an escape can hold
        return json.dumps(value).encode()


_ONE_LINE = bytes.maketrans(b"\n\r", b"  ")
