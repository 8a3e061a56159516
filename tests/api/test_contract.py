"""Whatever is sent, the answer is one that openapi.json names: schemathesis with all its checks against a real process.

The calls carry the keys and the cookie that they take, and ids that lead somewhere. The small run is a fixed sample of
the phases that do not depend on chance, on both databases. All their cases, and 50,000 random ones in rounds of
their own seed, are `uv run pytest -n 0 -m heavy tests/api/test_contract.py`: `-k round-7` is one of them, `-s` shows
their counts. Streams of events are left out, since they never end, and so is the stateful phase, for which the contract
has no links.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.api.populated import IMAGE, OPERATOR_KEY, WIDE, Populated, populate
from tests.paths import ROOT
from tests.processes import Process

ROUNDS = 10
CASES = 5_000
"""Random cases of a round."""
SAMPLE = 0.35
FEWEST = 500
"""Cases of the sample at least."""
RANDOM = ("--phases", "fuzzing", "--max-examples", "110", "--generation-database", "none")
CONFIGURATION = """
hooks = "{hooks}"
headers = {{ Cookie = "arena_voter={told.cookie}" }}
[auth.openapi]
owner = {{ bearer = "{told.owner_key}" }}
operator = {{ bearer = "{operator}" }}
[[operations]]
include-path = "/api/v1/me"
headers = {{ Cookie = "arena_voter={told.cookie}x" }}
# A rule beyond JSON Schema may refuse, always as a documented 422; what is far too long is refused as too large.
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "401", "403", "404", "409", "422", "429", "503"]
[checks.negative_data_rejection]
expected-statuses = ["400", "401", "403", "404", "405", "409", "413", "415", "422", "429", "431", "5xx"]
"""
"""The call that forgets a voter gets an unknown cookie, so that no other call loses its battles."""


@pytest.fixture
def told(url: str, tmp_path: Path) -> Iterator[Populated]:
    places = {"ARENA_DATA": str(tmp_path / "data"), "ARENA_DATABASE_URL": url}
    arena = Process(tmp_path, "serve", "--no-worker", **places, **WIDE)
    try:
        arena_facts = populate(arena.start())
        contract = arena_facts.named(arena.get("/api/v1/openapi.json").json())
        (tmp_path / "openapi.json").write_text(json.dumps(contract))
        (tmp_path / "image.png").write_bytes(IMAGE)
        yield arena_facts
    finally:
        arena.remove()


@dataclass(frozen=True)
class Run:
    """Output of a schemathesis run, and the number of answers by operation and status."""

    said: str
    succeeded: bool
    answers: dict[str, int]

    @property
    def cases(self) -> int:
        return int(re.search(r"(\d+) generated", self.said)[1])


def run(told: Populated, folder: Path, *options: str, sample: float = 1) -> Run:
    hooks = Path(__file__).with_name("schemathesis_hooks.py")
    (folder / "schemathesis.toml").write_text(CONFIGURATION.format(hooks=hooks, told=told, operator=OPERATOR_KEY))
    command = [Path(sys.executable).with_name("schemathesis"), "run", "openapi.json", "--url", told.url, "--no-color"]
    command += ["--checks", "all", "--exclude-path-regex", "stream$", "--request-timeout", "60", *options]
    command += ["--suppress-health-check", "all", "--warnings", "off"]
    environment = os.environ | {
        "PYTHONPATH": str(ROOT),
        "ARENA_URL": told.url,
        "ARENA_DATABASE": told.database,
        "OWNER_AUTHORIZATION": f"Bearer {told.owner_key}",
        "SPENT": json.dumps(told.spent),
        "EVALUATION": told.ids["evaluation"][0],
        "SAMPLE": str(sample),
    }
    log = folder / "schemathesis.log"
    with log.open("w") as written:
        result = subprocess.run(command, cwd=folder, env=environment, stdout=written, stderr=written, check=False)
    return Run(log.read_text(), result.returncode == 0, json.loads((folder / "answers.json").read_text()))


ELSEWHERE = dict.fromkeys(
    ("POST /api/v1/endpoints/discoveries", "POST /api/v1/endpoints/twins", "POST /api/v1/operator/endpoints"),
    "asks a server elsewhere",
) | dict.fromkeys(("GET /frames/{token}", "GET /frames/{token}/whole"), "is about a battle of web pages alone")
"""Calls that cannot succeed in this arena, and why; they have tests of their own."""
SMALL = pytest.param("postgresql", SAMPLE, id="postgresql-sample")
WHOLE_RUNS = [pytest.param(kind, 1, id=f"{kind}-whole", marks=pytest.mark.heavy) for kind in ("sqlite", "postgresql")]


@pytest.mark.timeout(1_200)
@pytest.mark.parametrize(("url", "sample"), [SMALL, *WHOLE_RUNS], indirect=["url"])
def test_every_call_succeeds_once_and_answers_as_the_contract_says(
    told: Populated, tmp_path: Path, sample: float
) -> None:
    outcome = run(told, tmp_path, "--phases", "examples,coverage", "--generation-deterministic", sample=sample)
    assert outcome.succeeded, outcome.said
    assert sum(outcome.answers.values()) >= FEWEST
    succeeded = {
        answer.rpartition(" ")[0] for answer in outcome.answers if answer.endswith(("200", "201", "202", "204"))
    }
    paths = json.loads((tmp_path / "openapi.json").read_text())["paths"]
    operations = {f"{method.upper()} {path}" for path in paths if not path.endswith("stream") for method in paths[path]}
    assert operations - succeeded == set(ELSEWHERE)


@pytest.mark.heavy
@pytest.mark.timeout(7_200)
@pytest.mark.parametrize(
    ("seed", "url"),
    [(seed, ("postgresql", "sqlite")[seed % 2]) for seed in range(1, ROUNDS + 1)],
    ids=[f"round-{seed}" for seed in range(1, ROUNDS + 1)],
    indirect=["url"],
)
def test_random_cases_are_answered_as_the_contract_says(seed: int, told: Populated, tmp_path: Path) -> None:
    outcome = run(told, tmp_path, *RANDOM, "--seed", str(seed))
    assert outcome.succeeded, outcome.said
    print(f"{outcome.cases} cases, {sum(outcome.answers.values())} requests")  # noqa: T201 - the result of a long run
    assert outcome.cases >= CASES
