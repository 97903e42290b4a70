"""What is installed: everything the program reads at run time, and nothing else."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_wheel_holds_every_file_of_the_package_and_the_licence(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    files = (file.relative_to(ROOT / "src") for file in (ROOT / "src/quoth").rglob("*") if file.is_file())
    assert held == {file.as_posix() for file in files if "__pycache__" not in file.parts}
    assert {Path(name).name for name in zipfile.ZipFile(wheel).namelist()} >= {"LICENSE", "NOTICE"}
