"""Make the bench at the project's root importable, as `python -m bench` does."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2]))
