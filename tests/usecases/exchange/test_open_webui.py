from __future__ import annotations

import csv
import io
import json
import random

import pytest

from arena.domain.errors import Invalid
from arena.domain.terms import Outcome
from arena.usecases.exchange.reader import read_votes
from tests.usecases.exchange.files import battle_row, export, feedback_row, own_row, write


def read(tmp_path, rows, **options):
    return read_votes(write(tmp_path / "feedback.json", rows if isinstance(rows, str) else export(rows)), **options)


def as_csv(rows: list[dict]) -> str:
    """The table that Open WebUI saves: quotes only where it sees commas, quotes or line feeds."""
    out = io.StringIO()
    columns = ("id", "user_id", "chat_id", "model_id", "sibling_model_ids", "rating", "reason", "comment")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*columns, "created_at", "updated_at"])
    for row in rows:
        data = row["data"] or {}
        cells = {**data, **row, **row["meta"], "sibling_model_ids": ";".join(data.get("sibling_model_ids") or ())}
        writer.writerow([cells.get(name) or "" for name in (*columns, "created_at", "updated_at")])
    return out.getvalue()


def test_a_rated_answer_is_one_vote_of_its_reader_against_each_sibling(tmp_path):
    rows = [feedback_row(1, sibling_model_ids=["blue-7b", "green"]), feedback_row(2, rating="-1", user_id="other")]
    votes, bad = read(tmp_path, rows)
    assert bad == []
    assert [(v.a, v.b, v.outcome) for v in votes] == [
        ("red-7b", "blue-7b", Outcome.A),
        ("red-7b", "green", Outcome.A),
        ("red-7b", "blue-7b", Outcome.B),
    ]
    assert votes[0].voter == votes[1].voter != votes[2].voter
    assert len({vote.id for vote in votes}) == 3
    assert all(vote.created_at for vote in votes)


def test_votes_come_in_the_order_in_which_they_were_given_and_keep_their_ids_when_the_export_grows(tmp_path):
    rows = [feedback_row(number, updated_at=2_000_000_000 - number) for number in range(1, 6)]
    before, _ = read(tmp_path, rows[:4])
    after, _ = read(tmp_path, rows)
    assert [vote.created_at for vote in after] == sorted(vote.created_at for vote in after if vote.created_at)
    assert [vote.id for vote in after][:4] == [vote.id for vote in before]


@pytest.mark.parametrize(
    "changes",
    [*({"sibling_model_ids": siblings} for siblings in (None, [], ["red-7b"])), {"rating": None}, {"data": None}],
)
def test_a_thumb_on_a_single_answer_is_no_comparison_and_no_bad_row(tmp_path, changes):
    watched = []
    assert (
        read(tmp_path, [feedback_row(1, **changes), feedback_row(2)], watch=watched.append, strict=True)[0][0].a
        == "red-7b"
    )
    assert [item.compares for item in watched] == [True, False]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"id": None}, "id: missing"),
        ({"id": "x" * 70}, "id: not 1 to 64 printable characters"),
        ({"data": [1]}, "data: not an object: a list"),
        ({"rating": 2}, "rating: neither 1 nor -1: 2"),
        ({"rating": True}, "rating: neither 1 nor -1: True"),
        ({"rating": {}}, "rating: neither 1 nor -1: an object"),
        ({"model_id": None}, "model_id: missing"),
        ({"model_id": 7}, "model_id: not a text: 7"),
        ({"model_id": "m" * 81}, "model_id: not 1 to 80 printable characters"),
        ({"sibling_model_ids": "blue"}, "sibling_model_ids: not a list of names: 'blue'"),
        ({"sibling_model_ids": [None]}, "sibling_model_ids: not a text: None"),
        ({"sibling_model_ids": ["b" * 81]}, "sibling: not 1 to 80 printable characters"),
        ({"created_at": None}, "created_at: missing"),
        ({"created_at": "soon"}, "created_at: not a time: 'soon'"),
        ({"updated_at": 1e300}, "updated_at: not a time: 1e+300"),
    ],
)
def test_a_bad_row_is_named_by_line_and_place_and_the_others_are_read(tmp_path, changes, reason):
    rows = [feedback_row(1), feedback_row(2, **changes), feedback_row(3)]
    votes, bad = read(tmp_path, json.dumps(rows))
    assert len(votes) == 2
    assert len(bad) == 1
    assert str(bad[0]).startswith(("line 1: feedback 2: ", "line 1: feedback '00000000-0000-4000-8000-000000000002': "))
    assert reason in str(bad[0])


def test_ids_that_collide_are_counted_once(tmp_path):
    votes, bad = read(tmp_path, json.dumps([feedback_row(1), feedback_row(1, rating=-1)]))
    assert [vote.outcome for vote in votes] == [Outcome.A]
    assert "an earlier row has it too" in str(bad[0])


def test_the_csv_of_the_same_feedback_gives_the_same_votes(tmp_path):
    rows = [
        feedback_row(5, comment='a, "b"\nc', sibling_model_ids=["blue-7b", "green"]),
        feedback_row(4, sibling_model_ids=None),
        feedback_row(3, rating="-1", reason="=1+1"),
    ]
    votes, _ = read(tmp_path, rows)
    by_table, bad = read_votes(write(tmp_path / "feedback.csv", as_csv(rows) + "x\n"))
    assert [(vote.id, vote.outcome, vote.created_at) for vote in by_table] == [
        (vote.id, vote.outcome, vote.created_at) for vote in votes
    ]
    assert [str(row) for row in bad] == ["line 6: 1 cell where the header has 10"]


def test_an_export_of_chats_is_told_from_one_of_feedback(tmp_path):
    chats = json.dumps([{"id": "c", "user_id": "u", "title": "t", "chat": {"models": [], "messages": []}}])
    with pytest.raises(Invalid, match="an export of chats; votes are in Open WebUI's export of feedback"):
        read(tmp_path, chats)


def mutated(text: str, rng: random.Random) -> str:
    """The text with a few places cut, doubled or overwritten, as a broken copy or an editor leaves it."""
    for _ in range(rng.randint(1, 4)):
        start = rng.randrange(len(text))
        end = min(len(text), start + rng.choice((1, 1, 2, 30, len(text))))
        filling = rng.choice(("", text[start:end] * 2, rng.choice('[]{},":\\ \n\t0e-\x00é'), '"rating":', "null"))
        text = text[:start] + filling + text[end:]
    return text


def check_mutated_files(tmp_path, count: int) -> None:
    """Whatever a file says, it is refused whole in one sentence, or each row is read, or named with its line."""
    rng = random.Random(count)
    rows = [feedback_row(number, sibling_model_ids=["blue-7b", "green"][: number % 3]) for number in range(1, 9)]
    sources = {"f.json": export(rows), "g.json": json.dumps(rows, indent=1), "h.csv": as_csv(rows)}
    sources["b.json"] = json.dumps([battle_row(question_id=f"q{number}") for number in range(8)])
    sources["o.jsonl"] = "".join(f"{json.dumps(own_row(id=str(number)))}\n" for number in range(8))
    sources["t.csv"] = "model_a,model_b,winner\n" + "red-7b,blue-7b,model_a\nblue-7b,green,tie\n" * 4
    read_whole, refusals = 0, list[str]()
    for _ in range(count):
        name, text = rng.choice(list(sources.items()))
        path = write(tmp_path / name, mutated(text, rng))
        lines = path.read_bytes().count(b"\n") + 1
        try:
            votes, bad = read_votes(path)
        except Invalid as error:
            refusals.append(str(error))
            continue
        read_whole += 1
        assert all(1 <= row.line <= lines and row.reason.isprintable() for row in bad)
        assert all(vote.a != vote.b and 1 <= vote.line <= lines for vote in votes)
    assert read_whole > count / 5
    assert all(refusal.isprintable() for refusal in refusals)


def test_mutated_files_are_refused_whole_or_read_row_by_row(tmp_path):
    check_mutated_files(tmp_path, 300)


@pytest.mark.heavy
def test_ten_thousand_mutated_files_are_refused_whole_or_read_row_by_row(tmp_path):
    check_mutated_files(tmp_path, 10_000)
