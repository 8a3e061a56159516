"""Comparisons in the layouts of other programs are read, or refused in one sentence that names their fields."""

from __future__ import annotations

import json
import unicodedata
from datetime import UTC, datetime
from pathlib import Path

import pytest

from arena.domain.errors import Invalid
from arena.usecases.exchange.reader import read_votes

FILES = Path(__file__).parent / "files"
HEADER = "id,model_a,model_b,prompt,response_a,response_b,winner_model_a,winner_model_b,winner_tie"


def read(folder, content, name="votes.json", **options):
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_votes(folder / name, **options)


def facts(votes):
    return [(vote.a, vote.b, str(vote.outcome)) for vote in votes]


def as_json(rows, *, lines=False):
    return "\n".join(map(json.dumps, rows)) if lines else json.dumps(rows, indent=1)


@pytest.mark.parametrize("kind", ["csv", "json", "jsonl"])
def test_three_columns_for_the_winner_are_one(tmp_path, kind):
    shares = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0)]
    names = HEADER.split(",")
    rows = [dict(zip(names, (n, "A1", "B1", "q", "x", "y", *row), strict=True)) for n, row in enumerate(shares)]
    text = "\n".join([HEADER, *(",".join(map(str, row.values())) for row in rows)])
    content = text if kind == "csv" else as_json(rows, lines=kind == "jsonl")
    votes, bad = read(tmp_path, content, f"train.{kind}")
    assert facts(votes) == [("A1", "B1", "a"), ("A1", "B1", "b"), ("A1", "B1", "tie")]
    assert [row.reason.partition(":")[0] for row in bad] == [
        "winner_model_a '1', winner_model_b '1', winner_tie '0'"
        if kind == "csv"
        else "winner_model_a 1, winner_model_b 1, winner_tie 0"
    ]


def test_the_sessions_and_times_of_the_140k_release_are_read(tmp_path):
    row = {
        "model_a": "A1",
        "model_b": "B1",
        "winner": "both_bad",
        "language": "und",
        "timestamp": "2025-07-01T10:00:00",
    }
    rows = [{"id": str(n), **row, "evaluation_session_id": f"s{n // 2}"} for n in range(4)]
    votes, bad = read(tmp_path, as_json(rows, lines=True))
    assert bad == []
    assert facts(votes) == [("A1", "B1", "both_bad")] * 4
    assert {vote.created_at for vote in votes} == {datetime(2025, 7, 1, 10, tzinfo=UTC)}
    assert len({vote.voter for vote in votes}) == 2


def pair(first, second, question=81, turn=1):
    names = {
        "question_id": question,
        "model_1": "alpaca-13b",
        "model_2": "gpt-4",
        "turn": turn,
        "tstamp": 1687222562.06,
    }
    return {**names, "g1_winner": first, "g2_winner": second, "judge": ["gpt-4", "pair-v2"], "g1_user_prompt": "…"}


def test_both_orders_of_a_pair_of_mt_bench_make_a_vote_of_its_question(tmp_path):
    rows = [
        pair("model_1", "model_1"),
        pair("model_2", "model_2", turn=2),
        pair("model_1", "model_2", question=82),
        pair("tie", "tie", question=82, turn=2),
        pair("error", "model_1", question=83),
    ]
    votes, bad = read(tmp_path, as_json(rows, lines=True), "gpt-4_pair.jsonl")
    assert [str(vote.outcome) for vote in votes] == ["a", "b", "tie", "tie"]
    assert [str(row) for row in bad] == ["line 5: g1_winner, g2_winner: none of model_1, model_2, tie: 'error'"]
    assert len({vote.voter for vote in votes}) == 2
    assert [vote.turns for vote in votes] == [1, 2, 1, 2]


def test_annotations_of_alpaca_eval_are_read(tmp_path):
    names = {"generator_1": "A1", "generator_2": "B1", "output_1": "x", "output_2": "y", "annotator": "judge"}
    preferences = [1, 2.0, 1.5, 0, 1.02, 1.97, None, "2", 3]
    rows = [{"instruction": f"q{n}", **names, "preference": value} for n, value in enumerate(preferences)]
    votes, bad = read(tmp_path, as_json(rows), "annotations.json")
    assert [str(vote.outcome) for vote in votes] == ["a", "b", "tie", "tie", "a", "b"]
    assert [row.reason for row in bad] == [
        f"preference: not a number from 1 to 2: {shown}" for shown in ("None", "'2'", "3")
    ]
    assert len({vote.voter for vote in votes}) == 6


def test_annotations_that_alpaca_eval_itself_has_written_are_read():
    """Of `alpaca_eval` 0.6.6, which asked a small server of its own in place of a judge."""
    votes, bad = read_votes(FILES / "alpaca_eval_annotations.json")
    assert bad == []
    assert [str(vote.outcome) for vote in votes] == ["b", "a", "b", "a"]
    assert {(vote.a, vote.b) for vote in votes} == {("large", "small")}


UNKNOWN = {
    "arena-hard": [{"question_id": "1", "model": "m", "judge": "j", "games": [{"score": "A>B"}]}] * 3,
    "label studio": [{"id": 1, "annotations": [{"result": [{"value": {"selected": "left"}}]}], "data": {}}] * 3,
    "lm-evaluation-harness": [{"doc_id": 0, "doc": {}, "resps": [["x"]], "filtered_resps": ["x"]}] * 3,
    "a table in a document": [{"data": [{"model_a": "x", "model_b": "y", "winner": "tie"}]}],
}


@pytest.mark.parametrize("rows", UNKNOWN.values(), ids=UNKNOWN)
@pytest.mark.parametrize("lines", [True, False])
def test_another_layout_is_refused_once_with_its_fields_and_what_is_read(tmp_path, rows, lines):
    with pytest.raises(Invalid) as refused:
        read(tmp_path, as_json(rows, lines=lines))
    message = str(refused.value)
    assert all(repr(field) in message for field in rows[0])
    assert "annotations of AlpacaEval" in message
    assert message.count("\n") == 0


def test_a_battle_behind_broken_lines_is_still_read(tmp_path):
    rows = ["{", "[]", json.dumps({"other": 1}), json.dumps({"model_a": "x", "model_b": "y", "winner": "tie"})]
    votes, bad = read(tmp_path, "\n".join(rows), "v.jsonl")
    assert (len(votes), len(bad)) == (1, 3)


@pytest.mark.parametrize("encoding", ["gb18030", "latin-1", "big5", "shift_jis"])
@pytest.mark.parametrize("kind", ["csv", "json", "jsonl"])
@pytest.mark.parametrize("place", [0, 1, 5])
def test_one_character_of_another_encoding_refuses_the_whole_file_with_the_remedy(tmp_path, encoding, kind, place):
    name = "Müller" if encoding == "latin-1" else "日本"
    rows = [{"model_a": name if n == place else "x", "model_b": "y", "winner": "model_a"} for n in range(6)]
    if kind == "csv":
        text = "\n".join(["model_a,model_b,winner", *(",".join(row.values()) for row in rows)])
    elif kind == "json":
        text = json.dumps(rows, ensure_ascii=False)
    else:
        text = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    with pytest.raises(Invalid, match=r"not UTF-8, so nothing of it is read; save it as UTF-8 .*iconv"):
        read(tmp_path, text.encode(encoding), f"votes.{kind}")


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_a_name_in_any_form_of_unicode_is_one_model(tmp_path, kind):
    forms = [unicodedata.normalize(form, "Müller-한국") for form in ("NFC", "NFD")]
    rows = [{"model_a": name, "model_b": "B", "winner": name} for name in forms]
    text = "\n".join(["model_a,model_b,winner", *(",".join(row.values()) for row in rows)])
    content = text if kind == "csv" else as_json([{**row, "winner": "model_a"} for row in rows])
    votes, bad = read(tmp_path, content, f"votes.{kind}")
    assert bad == []
    assert facts(votes) == [(forms[0], "B", "a")] * 2
