"""What the guard refuses: in pure functions, and in every parameter and field of openapi.json before a real process."""

from __future__ import annotations

import json
import logging
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random

import httpx2
import pytest

from arena.api.http.guard import is_deeper, is_storable
from arena.domain.text import well_formed
from tests.api.hostile_calls import LITERALS, TEXTS, Call, calls
from tests.api.populated import OPERATOR_KEY, WIDE, Populated, populate
from tests.effort import is_affordable
from tests.processes import PATIENCE, Process

log = logging.getLogger(__name__)


def value(rng: Random, most: int):
    """Something JSON can hold, with signs in its texts that look like brackets and quotes."""
    match rng.randrange(3) if most else 2:
        case 0:
            return [value(rng, most - 1) for _ in range(rng.randrange(4))]
        case 1:
            return {str(number): value(rng, most - 1) for number in range(rng.randrange(4))}
        case _:
            return "".join(rng.choices('a[]{}"\\', k=rng.randrange(6)))


def depth(value) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(depth, inner), default=0)


def test_the_bytes_tell_what_the_parser_would():
    rng = Random(3)
    for _ in range(2_000):
        some, most = value(rng, 6), rng.randrange(6)
        assert is_deeper(json.dumps(some).encode(), most) == (depth(some) > most)


@pytest.mark.parametrize("body", [b'"' * 60_000 + b"[" * 9, b'"\\' * 30_000 + b"[" * 9, b'"\\"' * 20_000 + b"[" * 9])
def test_quotes_that_never_end_are_read_once(body):
    assert is_affordable(partial(is_deeper, body, 5))


SIGNS = ("a", "\\", '"', "\0", "\ud83d", "\ude00", "\ud800", "u0000", "ud83d", "\\u0000", "é", "界", "\n", "0")


def test_what_escapes_write_is_known_without_the_parser():
    rng = Random(5)
    outcomes = set()
    for _ in range(20_000):
        text = "".join(rng.choices(SIGNS, k=rng.randrange(7)))
        body = json.dumps({"prompt": text, text: 1}).encode()
        body = re.sub(rb"\\u\w{4}", lambda escape: escape[0].upper().replace(b"U", b"u", 1), body)
        storable = all(well_formed(part) == part for pair in json.loads(body).items() for part in map(str, pair))
        outcomes.add(storable)
        assert is_storable(body) == storable, body
    assert outcomes == {True, False}


@pytest.mark.parametrize("piece", [b"\\", b"\\u", b"\\ud83d", b"\\ud83d\\ude00", b"\\u00", b"a\\u0001"])
def test_escapes_are_read_once(piece):
    assert is_affordable(partial(is_storable, b'"' + piece * (60_000 // len(piece))))


FEWEST = 1_700
"""Calls of the small run at least."""
DAILY = {str(2**31), LITERALS[0], TEXTS[-1]}
"""Values of the small run that some routes take."""


@pytest.fixture
def arena(url: str, tmp_path: Path) -> Iterator[Process]:
    places = {"ARENA_DATA": str(tmp_path / "data"), "ARENA_DATABASE_URL": url}
    process = Process(tmp_path, "serve", "--no-worker", **places, **WIDE)
    try:
        yield process.start()
    finally:
        process.remove()


Headers = dict[str, str]
Caller = Callable[[Call], Headers]


def callers(told: Populated) -> dict[str, Caller]:
    """The headers with which each kind of caller sends a call; "whole" has all that its route needs."""
    cookie = {"Cookie": f"arena_voter={told.cookie}"}
    keys = {"owner": told.owner_key, "operator": OPERATOR_KEY}
    bearer = {name: {"Authorization": f"Bearer {key}"} for name, key in keys.items()}
    return {
        "nobody": lambda _: {},
        "voter": lambda _: cookie,
        "owner": lambda _: bearer["owner"],
        "operator": lambda _: bearer["operator"],
        "whole": lambda call: cookie | bearer["operator" if call.path.startswith("/api/v1/operator") else "owner"],
    }


def status(client: httpx2.Client, call: Call, headers: Headers) -> int:
    """The status of the answer to a call, of which only the head is read: some streams do not end."""
    texts = {"Content-Type": "application/json", **headers, **call.headers}
    sent = {name.encode(): value.encode("latin-1") for name, value in texts.items()}
    with client.stream(call.method, call.path, content=call.content, headers=sent) as answer:
        return answer.status_code


DAILY_RUN = pytest.param("postgresql", "whole", False, id="postgresql-daily")
EVERY_RUN = [
    pytest.param(engine, caller, True, id=f"{engine}-every-{caller}", marks=pytest.mark.heavy)
    for engine in ("sqlite", "postgresql")
    for caller in ("nobody", "voter", "owner", "operator", "whole")
]


@pytest.mark.timeout(3_600)
@pytest.mark.parametrize(("url", "caller", "every"), [DAILY_RUN, *EVERY_RUN], indirect=["url"])
def test_what_no_database_takes_is_refused_in_every_parameter_and_field(
    arena: Process, caller: str, *, every: bool
) -> None:
    """The daily run has a voter's cookie and the key of its route, on PostgreSQL, which fails over most."""
    told = populate(arena)
    contract = arena.get("/api/v1/openapi.json").json()
    made = [call for call in calls(contract, told.ids) if every or call.is_unstorable or str(call.odd) in DAILY]
    headers = callers(told)[caller]
    assert len(made) >= FEWEST
    wrong, codes = [], Counter[int]()
    with httpx2.Client(base_url=arena.url, timeout=PATIENCE) as client:
        for call in made:
            code = status(client, call, headers(call))
            codes[code] += 1
            if code >= 500 or (call.is_unstorable and not 400 <= code < 500):
                wrong.append((code, call.method, call.path[:100], call.place, str(call.odd)[:20]))
    log.info("%d calls, and their statuses: %s", len(made), sorted(codes.items()))
    assert not wrong, "\n".join(map(repr, wrong))
    noted = arena.log.read_text()
    assert "ERROR" not in noted
    assert "Traceback" not in noted
