"""The short way to read a line gives what the careful way gives, for every line that it takes."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from arena_trust.tlog.hashing import Unsound
from arena_trust.verifier import export
from arena_trust.verifier.exact_lines import exact_vote
from arena_trust.verifier.export import Lines, Piece

NONCE = "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b"
VOTE = {
    "format": "arena-vote",
    "version": 1,
    "id": "bench-1",
    "number": 1,
    "a": "gull",
    "b": "鷗 é",
    "outcome": "b",
    "voter": "6b86",
    "language": "en",
    "category": None,
    "style": [201, 0, 1, 1, 301, 1, 1, 0],
    "turns": 2,
    "seconds": 9.5,
    "created_at": "2026-01-01",
    "counted": True,
    "reason": None,
    "nonce": NONCE,
    "probability": 1 / 3,
}
BARE = {
    "number": 999_999_999_999_999_999,
    "outcome": "both_bad",
    "language": None,
    "category": "code",
    "style": None,
    "turns": None,
    "seconds": None,
    "created_at": "2026-01-01T09:30:00+00:00",
    "probability": 1e-05,
}
LINES = tuple(json.dumps(vote, ensure_ascii=False, separators=(",", ":")) for vote in (VOTE, VOTE | BARE))
SIGNS = (
    *'019-+.eE"\\/ \t,:[]{}nulltrueé鷗',
    "\\u0061",
    "\x00",
    "\x7f",
    "\N{ARABIC-INDIC DIGIT ONE}",
    "\ufffd",
    '"a":"ibis",',
    "1" * 20,
)


def read(line: str) -> Piece | str:
    try:
        return export.piece(Lines(1, line.encode("utf-8", "surrogatepass"), {}))
    except Unsound as error:
        return str(error)


def carefully(line: str, monkeypatch) -> Any:
    with monkeypatch.context() as patch:
        patch.setattr(export, "exact_vote", lambda _: None)
        return read(line)


@pytest.mark.parametrize("line", LINES, ids=["whole", "bare"])
def test_what_the_exporter_writes_is_taken_and_read_as_the_careful_way_reads_it(line, monkeypatch):
    assert exact_vote(line)
    assert isinstance(found := read(line), Piece)
    # The reading time may be nan, which no value equals.
    assert str(found) == str(carefully(line, monkeypatch))


@pytest.mark.parametrize("line", LINES, ids=["whole", "bare"])
def test_a_changed_line_is_never_read_otherwise_than_the_careful_way_reads_it(line, monkeypatch):
    rng, taken = Random(7), 0
    for _ in range(1_500):
        changed = line
        for _ in range(rng.randint(1, 2)):
            place, length = rng.randrange(len(changed)), rng.randint(0, 2)
            changed = changed[:place] + rng.choice(SIGNS) + changed[place + length :]
        taken += exact_vote(changed) is not None
        assert str(read(changed)) == str(carefully(changed, monkeypatch)), changed
    assert taken > 30


@pytest.mark.parametrize(
    ("was", "is_"),
    [
        ('"gull"', '"gu\\u006cl"'),
        ('"number":1,', '"number": 1,'),
        ('"number":1,', '"number":01,'),
        ('"number":1,', '"number":1,"number":2,'),
        ("[201,0", "[0201,0"),
        ('"turns":2', '"turns":2.0'),
        ('"turns":2', '"turns":\N{ARABIC-INDIC DIGIT TWO}'),
        ('"counted":true', '"counted":false'),
        ('"reason":null', '"reason":"stopped"'),
        (NONCE, NONCE.upper()),
        (f'"nonce":"{NONCE}",', ""),
        ("}", ',"remarks":{}}'),
        ("}", "}\n"),
        ("0.3333333333333333", "NaN"),
    ],
)
def test_any_other_form_goes_the_careful_way(was, is_):
    assert LINES[0].count(was) >= 1
    assert exact_vote(LINES[0].replace(was, is_)) is None
