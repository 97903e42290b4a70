"""Read and write JSON-RPC messages: whatever a peer sends is one of three values, or a `Refused` that says why not."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn, TypeAlias, cast

from quoth.surfaces.mcp.protocol import InvalidParams, InvalidRequest, JsonObject, ParseFailed, Refused

if TYPE_CHECKING:
    from quoth.core.model import Json

Id: TypeAlias = int | str

_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Request:
    id: Id
    method: str
    params: JsonObject


@dataclass(frozen=True, slots=True)
class Notification:
    method: str
    params: JsonObject


@dataclass(frozen=True, slots=True)
class Response:
    """An answer to a request of ours; `result` is None when the peer answered with an error."""

    id: Id
    result: JsonObject | None


Message: TypeAlias = Request | Notification | Response


def decode(data: bytes) -> Json:
    """Return the JSON value of a message's bytes.

    Raises:
        ParseFailed: they are no UTF-8 or no JSON.
    """
    try:
        text = data.decode("utf-8-sig")
        value: Json = json.loads(text, parse_constant=_no_json)
        return _whole(value) if "\\u" in text else value
    except (ValueError, RecursionError) as error:
        raise ParseFailed("nested too deep" if isinstance(error, RecursionError) else "not JSON in UTF-8") from None


def message(value: Json) -> Message:
    """Tell what a JSON value says.

    Raises:
        InvalidRequest: it is no JSON-RPC 2.0 message.
    """
    if not isinstance(value, Mapping):
        raise InvalidRequest("a message is an object")
    given = value.get("id")
    try:
        return _message(value, given)
    except Refused as refused:
        refused.id = cast("Id", given) if _is_id(given) else None
        raise


def result(request: Id, value: Json) -> JsonObject:
    return {"jsonrpc": "2.0", "id": request, "result": value}


def failure(refused: Refused, request: Id | None) -> JsonObject:
    error: dict[str, Json] = {"code": refused.code, "message": str(refused)}
    if refused.data is not None:
        error["data"] = refused.data
    return {"jsonrpc": "2.0", "id": request, "error": error}


def encode(value: Json) -> bytes:
    """Write a message as one line without its end."""
    return dumps(value).encode()


def dumps(value: Json) -> str:
    """Write JSON in one line, as short as it gets; a lone surrogate, which UTF-8 can't say, becomes U+FFFD."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return _SURROGATE.sub("\ufffd", text)


def _message(value: JsonObject, given: Json) -> Message:
    if value.get("jsonrpc") != "2.0":
        raise InvalidRequest('`jsonrpc` must be "2.0"')
    if "id" in value and not _is_id(given):
        raise InvalidRequest("`id` must be a string or an integer")
    if "method" not in value:
        return _response(value, cast("Id | None", given))
    method, params = value["method"], value.get("params", {})
    if not isinstance(method, str):
        raise InvalidRequest("`method` must be a string")
    if not isinstance(params, Mapping):
        raise InvalidParams("`params` must be an object")
    return Request(cast("Id", given), method, params) if "id" in value else Notification(method, params)


def _response(value: JsonObject, given: Id | None) -> Response:
    answer = value.get("result")
    if given is None or ("result" not in value and "error" not in value):
        raise InvalidRequest("there is no `method`")
    return Response(given, answer if isinstance(answer, Mapping) else None)


def _is_id(given: object) -> bool:
    return isinstance(given, int | str) and not isinstance(given, bool)


def _whole(value: Json) -> Json:
    """Replace lone surrogates, which a JSON escape can say and nothing else can store."""
    match value:
        case str():
            return _SURROGATE.sub("\ufffd", value)
        case Mapping():
            return {_SURROGATE.sub("\ufffd", key): _whole(item) for key, item in value.items()}
        case Sequence():
            return [_whole(item) for item in value]
        case _:
            return value


def _no_json(name: str) -> NoReturn:
    raise ValueError(name)
