"""One ingest in a fresh process, for its time and its memory: `python -m bench.child LOGS HOME` prints an object."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from bench.measure import peak_memory
from bench.subject import Store


def main() -> None:
    logs, home = map(Path, sys.argv[1:])
    took, events = Store(logs, home).ingest()
    print(json.dumps({"wall": took.wall, "cpu": took.cpu, "events": events, "peak": peak_memory()}))


if __name__ == "__main__":
    main()
