"""A stateless HTTP transport around the protocol core, for the conformance suite alone; the product has its own door.

`python loopback.py` prints its port and serves the dialect of `everything.py` on 127.0.0.1 until its input closes.
"""

from __future__ import annotations

import base64
import os
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from everything import EVERYTHING

from quoth.surfaces.mcp import messages
from quoth.surfaces.mcp.connection import Connection
from quoth.surfaces.mcp.messages import Request
from quoth.surfaces.mcp.protocol import LEGACY, MODERN, VERSION, Refused
from quoth.surfaces.mcp.sealing import Seal
from quoth.surfaces.mcp.server import Server

NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
STATUS = {-32601: 404, -32700: 400, -32600: 400, -32602: 400, -32020: 400, -32021: 400, -32022: 400}
LOCAL = {"127.0.0.1", "localhost"}

SERVER = Server(EVERYTHING, None, version="1", seal=Seal(now=time.monotonic, random=os.urandom), report=print)


class HeaderMismatch(Refused):
    code = -32020


def decoded(value: str | None) -> str | None:
    value = value and value.strip()
    if value and value.startswith("=?base64?") and value.endswith("?="):
        return base64.b64decode(value[9:-2]).decode()
    return value


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.answer(405)

    do_DELETE = do_GET  # noqa: N815 - the name is the method's

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        hosts = [self.headers.get("Host", ""), self.headers.get("Origin", "http://localhost").partition("//")[2]]
        if not all(host.partition(":")[0] in LOCAL for host in hosts):
            self.answer(403)
            return
        try:
            message = messages.message(messages.decode(body))
            if not isinstance(message, Request):
                self.answer(202)
                return
            self.serve(message)
        except Refused as refused:
            self.answer(400, messages.failure(refused, refused.id))

    def serve(self, request: Request) -> None:
        said = self.headers.get("MCP-Protocol-Version")
        meta: Any = request.params.get("_meta") or {}
        is_modern = VERSION in meta or (said is not None and said not in LEGACY)
        if is_modern and (wrong := self.mismatch(request, said, meta)):
            self.answer(400, messages.failure(HeaderMismatch(wrong), request.id))
            return
        reply: Any = SERVER.answer(request, Connection(), is_modern=is_modern)
        code = STATUS.get(reply["error"]["code"], 200) if is_modern and "error" in reply else 200
        self.answer(code, reply)

    def mismatch(self, request: Request, said: str | None, meta: Any) -> str | None:
        """Say which header does not repeat what the body says."""
        if VERSION in meta and said != meta[VERSION]:
            return "MCP-Protocol-Version"
        if meta.get(VERSION) not in MODERN:
            return None
        if self.headers.get("Mcp-Method") != request.method:
            return "Mcp-Method"
        named = NAMED.get(request.method)
        return "Mcp-Name" if named and decoded(self.headers.get("Mcp-Name")) != request.params.get(named) else None

    def answer(self, code: int, value: Any = None) -> None:
        body = b"" if value is None else messages.encode(value)
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None: ...


if __name__ == "__main__":
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        print(http.server_address[1], flush=True)
        threading.Thread(target=http.serve_forever, daemon=True).start()
        sys.stdin.read()
        http.shutdown()
