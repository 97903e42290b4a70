"""The private socket between the doors and the worker of one home: where it is, and one line each way.

A line is a JSON object in ASCII, ended by LF. The socket is a file that only its owner can reach, and leads to no other
machine. Where the system has no such sockets, nobody listens and nobody is asked.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import tempfile
import time
from base64 import b64decode, b64encode
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from quoth.core.vectors import KEY_BYTES, TextKey
from quoth.remotes._places import ELSEWHERE, FITS, NAME, folder, found

if TYPE_CHECKING:
    from quoth.core.model import Json

LONGEST = 4 << 20
"""Bytes of a line; more is not read. The keys of 100,000 texts fit."""

_PIECE = 1 << 16


def is_possible() -> bool:
    """Tell whether this system has sockets that are files."""
    return hasattr(socket, "AF_UNIX")


def connect(home: Path, *, seconds: float) -> socket.socket:
    """Return a connection to the worker.

    Raises:
        OSError: nobody listens.
    """
    path = found(home)
    if path is None:
        raise FileNotFoundError
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        made.settimeout(seconds)
        made.connect(os.fspath(path))
    except BaseException:
        made.close()
        raise
    return made


def listen(home: Path) -> socket.socket:
    """Return a socket that only this user can reach. Whoever calls holds the lock: what is in its place is left over.

    Raises:
        OSError: none can be made.
    """
    forsake(home)
    path = folder(home) / NAME
    if len(os.fsencode(path)) > FITS:
        path = Path(tempfile.mkdtemp(prefix="quoth-")) / NAME  # made anew, and for us alone
        _write_privately(folder(home) / ELSEWHERE, os.fsencode(path))
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    made.bind(os.fspath(path))
    path.chmod(0o600)
    made.listen(16)
    return made


def forsake(home: Path) -> None:
    """Remove the socket, and the folder that was made for it."""
    (folder(home) / NAME).unlink(missing_ok=True)
    with suppress(OSError):
        if (elsewhere := found(home)) and elsewhere.parent.stat().st_uid == os.getuid():
            shutil.rmtree(elsewhere.parent)
    (folder(home) / ELSEWHERE).unlink(missing_ok=True)


def send(line: socket.socket, said: Mapping[str, Json]) -> None:
    """Send one line.

    Raises:
        OSError: the other side is gone, or it is too long.
    """
    data = json.dumps(said).encode() + b"\n"
    if len(data) > LONGEST:
        raise OSError
    line.sendall(data)


def receive(line: socket.socket, *, seconds: float) -> Mapping[str, object]:
    """Return what one line says, if it comes in time.

    Raises:
        OSError: it does not, or is too long.
        ValueError: it is no object.
    """
    deadline, pieces, size = time.monotonic() + seconds, list[bytes](), 0
    while not (pieces and pieces[-1].endswith(b"\n")):
        line.settimeout(max(0.0001, deadline - time.monotonic()))
        piece = line.recv(_PIECE)
        size += len(piece)
        if not piece or size > LONGEST or time.monotonic() > deadline:
            raise OSError
        pieces.append(piece)
    return _object(b"".join(pieces))


def packed(keys: Collection[TextKey]) -> str:
    """Return keys as they are sent."""
    return b64encode(b"".join(keys)).decode()


def unpacked(said: object) -> Sequence[TextKey]:
    """Return keys from what was sent.

    Raises:
        ValueError: they are none.
    """
    if not isinstance(said, str):
        raise ValueError
    data = b64decode(said, validate=True)
    if len(data) % KEY_BYTES:
        raise ValueError
    return [TextKey(data[at : at + KEY_BYTES]) for at in range(0, len(data), KEY_BYTES)]


def _object(data: bytes) -> Mapping[str, object]:
    try:
        read = json.loads(data)
    except RecursionError as error:
        raise ValueError from error
    if not isinstance(read, dict):
        raise ValueError
    return read


def _write_privately(path: Path, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "wb") as file:
        file.write(data)
