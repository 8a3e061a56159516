"""Files of votes with origins: what a row must have, and one error with its line for each that is none."""

from __future__ import annotations

import gzip
import io
import json

import numpy as np
import pytest

from arena.adapters.row_files import json_rows
from arena.domain.errors import Invalid
from arena.usecases.integrity.vote_file import parsed, read_cast_votes

ROW = {
    "number": 7,
    "created_at": "2026-11-01T12:00:00Z",
    "model_a": "x",
    "model_b": "y",
    "outcome": "a",
    "voter": "v",
    "network": "10.0.0.0/24",
    "cookie_age_days": 3,
    "language": "zh",
    "check": "pass",
    "seconds": 12.5,
}


def read(*rows):
    return parsed_lines(*(json.dumps(row).encode() for row in rows))


def parsed_lines(*lines: bytes):
    return parsed(json_rows.lines(io.BytesIO(b"\n".join(lines))))


def changed(**fields):
    return {**ROW, **fields}


def test_a_row_becomes_a_vote():
    log, bad = read(ROW)
    assert bad == []
    assert (log.number[0], log.second[0], log.outcome[0], log.age[0], log.reading[0]) == (7, 1793534400, 0, 3, 12.5)
    assert (log.names[log.left[0]], log.names[log.right[0]]) == ("x", "y")


def test_the_last_five_may_be_missing_or_null():
    short = {name: ROW[name] for name in list(ROW)[:6]}
    log, bad = read(
        short, changed(number=8, network=None, language=None, check=None, cookie_age_days=None, seconds=None)
    )
    assert bad == []
    assert log.network.tolist() == log.language.tolist() == log.check.tolist() == [-1, -1]
    assert np.isnan([log.age, log.reading]).all()


def test_votes_come_by_number_and_equal_labels_have_one_code():
    log, _ = read(changed(number=9, voter="p"), changed(number=2, voter="q"), changed(number=5, voter="p"))
    assert log.number.tolist() == [2, 5, 9]
    assert log.voter[1] == log.voter[2] != log.voter[0]


@pytest.mark.parametrize(
    "same", ["2026-11-01T12:00:00+00:00", "2026-11-01T12:00:00", "2026-11-01T14:00:00+02:00", 1793534400, 1793534400.9]
)
def test_times_are_iso_8601_or_seconds(same):
    assert read(changed(created_at=same))[0].second.tolist() == [1793534400]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({**ROW, "voter": None}, "voter: it is missing"),
        ({name: ROW[name] for name in ROW if name != "outcome"}, "outcome: it is missing"),
        (changed(outcome="left"), "outcome: one of a, b, tie, both_bad"),
        (changed(outcome=["a"]), "outcome: one of a, b, tie, both_bad"),
        (changed(number="7"), "number: not a whole number of at least 0"),
        (changed(number=-1), "number: not a whole number of at least 0"),
        (changed(number=True), "number: not a whole number of at least 0"),
        (changed(number=2**63), "number: not a whole number of at least 0"),
        (changed(model_a="  "), "model_a: not a name"),
        (changed(model_b=4), "model_b: not a name"),
        (changed(model_b="x"), "model_b: the same as model_a"),
        (changed(voter={}), "voter: not a text"),
        (changed(network=1.5), "network: not a text"),
        (changed(cookie_age_days=-1), "cookie_age_days: not a number of at least 0"),
        (changed(seconds="3"), "seconds: not a number of at least 0"),
        (changed(created_at="yesterday"), "created_at: not a time such as 2026-11-01T12:00:00Z"),
        (changed(created_at=1e300), "created_at: not a time such as 2026-11-01T12:00:00Z"),
        (changed(created_at=float("inf")), "created_at: it is missing"),
        ([], "not a JSON object: a list"),
    ],
)
def test_a_bad_row_gets_one_error_with_its_line(row, reason):
    log, bad = read(changed(number=1), row, changed(number=2))
    assert [str(error) for error in bad] == [f"line 2: {reason}"]
    assert log.number.tolist() == [1, 2]


def test_a_number_that_is_none_is_missing_as_in_every_file():
    log, bad = read(changed(seconds=float("nan")))
    assert (bad, np.isnan(log.reading).all()) == ([], True)


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"{", "not JSON"),
        (b"nothing", "not JSON"),
        (b'{"number": ', "not JSON"),
        (b"[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_not_json_is_said_so(raw, reason):
    assert [str(row) for row in parsed_lines(b"", raw)[1]] == [f"line 2: {reason}"]


def test_a_file_of_another_encoding_is_refused_as_a_whole(tmp_path):
    (tmp_path / "votes.jsonl").write_bytes(json.dumps(ROW).encode() + b"\n{\xff\xfe}\n")
    with pytest.raises(Invalid, match="not UTF-8"):
        read_cast_votes(tmp_path / "votes.jsonl")


def test_a_number_may_occur_once():
    log, bad = read(ROW, changed(outcome="b"))
    assert [str(error) for error in bad] == ["line 2: number: 7 is the number of an earlier row"]
    assert log.outcome.tolist() == [0]


def test_a_file_may_be_gzipped_and_a_damaged_one_is_one_error(tmp_path):
    path, data = tmp_path / "votes.jsonl.gz", gzip.compress(json.dumps(ROW).encode())
    path.write_bytes(data)
    assert len(read_cast_votes(path)[0]) == 1
    path.write_bytes(data[:-9])
    with pytest.raises(Invalid, match="damaged or cut off"):
        read_cast_votes(path)
    with pytest.raises(Invalid, match="No such file"):
        read_cast_votes(tmp_path / "none")
