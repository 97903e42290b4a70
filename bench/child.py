"""One pass in a fresh process, for its time and its memory: `python -m bench.child LOGS HOME` prints an object.

With `rebuild` behind the folders the index is made again instead.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from bench.measure import peak_memory
from bench.subject import Store


def main() -> None:
    logs, home = map(Path, sys.argv[1:3])
    store = Store(logs, home)
    took, events = store.rebuild() if sys.argv[3:] == ["rebuild"] else store.ingest()
    print(json.dumps({"wall": took.wall, "cpu": took.cpu, "events": events, "peak": peak_memory()}))


if __name__ == "__main__":
    main()
