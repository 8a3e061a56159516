import csv
import gzip
import io
import json
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from arena.adapters.row_files import json_rows
from arena.adapters.row_files.limits import PLAIN_ROWS
from arena.domain.errors import Invalid
from arena.domain.terms import Format, NotCounted, Outcome
from arena.usecases.exchange.imported_votes import ColumnNames, ImportedVote
from arena.usecases.exchange.reader import read_votes
from tests.usecases.exchange.files import COLUMNS, SAMPLE, all_votes, battle_row, own_row, write

TABLE = ColumnNames("left", "right", "winner")
SLOW_MACHINE = settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])


def read(path, content, **options):
    return read_votes(write(path, content), **options)


def reasons(bad) -> list[str]:
    return [str(row) for row in bad]


# --- our own format


def test_own_rows_become_votes_with_all_that_they_say(tmp_path):
    (vote,), bad = read(tmp_path / "votes.jsonl", [own_row(category="code")])
    assert bad == []
    assert (vote.id, vote.a, vote.b, vote.outcome) == ("one", "red-7b", "blue-7b", Outcome.A)
    assert (vote.language, vote.category, vote.turns, vote.seconds) == ("en", "code", 2, 3.5)
    assert vote.created_at == datetime(2026, 1, 1, tzinfo=UTC)
    assert vote.counted


@pytest.mark.parametrize(
    ("reason", "not_counted", "excluded"),
    [("identity_told", NotCounted.IDENTITY_TOLD, None), ("many from one hall", None, "many from one hall")],
)
def test_a_vote_that_did_not_count_there_does_not_count_here(tmp_path, reason, not_counted, excluded):
    (vote,), _ = read(tmp_path / "votes.jsonl", [own_row(counted=False, reason=reason)])
    assert (vote.not_counted, vote.excluded, vote.counted) == (not_counted, excluded, False)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"version": 2}, "line 1: version: not 1: 2"),
        ({"format": "other"}, "line 1: format: not 'arena-vote': 'other'"),
        ({"id": None}, "line 1: id: missing"),
        ({"id": "x" * 65}, "line 1: id: not 1 to 64 printable characters"),
        ({"a": "blue-7b"}, "line 1: a and b are the same: 'blue-7b'"),
        ({"a": " \t "}, "line 1: a: missing"),
        ({"b": "n" * 81}, "line 1: b: not 1 to 80 printable characters"),
        ({"b": "bell\a"}, "line 1: b: not 1 to 80 printable characters: 'bell\\x07'"),
        ({"a": ["red"]}, "line 1: a: not a text: a list"),
        ({"outcome": "model_a"}, "line 1: outcome: none of a, b, tie, both_bad: 'model_a'"),
        ({"outcome": {}}, "line 1: outcome: none of a, b, tie, both_bad: an object"),
        ({"turns": 0}, "line 1: turns: not a whole number from 1: 0"),
        ({"turns": True}, "line 1: turns: not a whole number from 1: True"),
        ({"seconds": -1}, "line 1: seconds: not a number of seconds: -1"),
        ({"created_at": "yesterday"}, "line 1: created_at: not a time: 'yesterday'"),
        ({"created_at": "0001-01-01T00:00:00+14:00"}, "line 1: created_at: not a time"),
        ({"language": "English"}, "line 1: language: not a language code: 'English'"),
        ({"counted": False}, "line 1: counted: not true without a reason or false with one"),
        ({"reason": "stopped"}, "line 1: counted: not true without a reason or false with one"),
        ({"counted": "yes"}, "line 1: counted: not true without a reason or false with one"),
    ],
)
def test_a_row_of_ours_that_says_what_cannot_be_is_bad(tmp_path, changes, reason):
    votes, bad = read(tmp_path / "votes.jsonl", [own_row(**changes)], format=Format.ARENA)
    assert votes == []
    assert len(bad) == 1
    assert str(bad[0]).startswith(reason)


def test_an_id_that_comes_twice_is_a_bad_row(tmp_path):
    votes, bad = read(tmp_path / "votes.jsonl", [own_row(), own_row(outcome="b")])
    assert [vote.outcome for vote in votes] == [Outcome.A]
    assert reasons(bad) == ["line 2: id: an earlier line has it too: 'one'"]


def test_lines_that_are_no_json_are_bad_and_the_next_one_is_read(tmp_path):
    good = json.dumps(own_row()).encode()
    deep = b"[" * 100_000
    lines = [good, b"{", b"}", b"[1, 2]", b"", b"null", deep, b'{"id": ' + b"9" * 5_000 + b"}"]
    votes, bad = read(tmp_path / "votes.jsonl", b"\n".join(lines), format=Format.ARENA)
    assert len(votes) == 1
    assert [row.line for row in bad] == [2, 3, 4, 6, 7, 8]
    assert reasons(bad)[:3] == ["line 2: not JSON", "line 3: not JSON", "line 4: not a JSON object: a list"]
    assert reasons(bad)[4] == "line 7: nested too deeply"


@pytest.mark.parametrize("part", ["\0", "\ud800", "\udc00\ud800"])
@pytest.mark.parametrize("field", ["id", "a", "b", "voter", "category", "reason"])
def test_a_row_with_a_nul_or_half_a_character_is_refused_with_the_reason(tmp_path, field, part):
    """Without it the name would be another one, and perhaps that of another model."""
    row = own_row(counted=False, reason="odd") | {field: f"re{part}d"}
    votes, (bad,) = read(tmp_path / "votes.jsonl", [row, own_row(id="next", a="\ud83d\ude00")])
    assert [vote.a for vote in votes] == ["😀"]
    assert (bad.line, bad.reason.startswith(f"{field}: has a NUL or half of a surrogate pair: 're")) == (1, True)


# --- Chatbot Arena's battles


@pytest.mark.parametrize(
    ("word", "outcome"),
    [
        ("model_a", Outcome.A),
        ("model_b", Outcome.B),
        ("tie", Outcome.TIE),
        ("tie (bothbad)", Outcome.BOTH_BAD),
        ("both_bad", Outcome.BOTH_BAD),
    ],
)
def test_every_word_of_the_battles_has_its_outcome(tmp_path, word, outcome):
    (vote,), bad = read(tmp_path / "battles.json", json.dumps([battle_row(winner=word)], indent=2))
    assert bad == []
    assert vote.outcome is outcome


def test_a_battle_keeps_language_turns_and_time(tmp_path):
    (vote,), _ = read(tmp_path / "battles.json", [battle_row(language="Chinese", turn=3)])
    assert (vote.language, vote.turns) == ("zh", 3)
    assert vote.created_at == datetime.fromtimestamp(1682351591.13, UTC)


@pytest.mark.parametrize("language", ["unknown", "Klingon", None, 7, "", "\ud800"])
def test_a_language_that_we_do_not_tell_apart_is_none(tmp_path, language):
    (vote,), _ = read(tmp_path / "battles.json", [battle_row(language=language)])
    assert vote.language is None


@pytest.mark.parametrize("visible", [False, 0, "False"])
def test_a_vote_with_visible_names_is_a_bad_row(tmp_path, visible):
    _, bad = read(tmp_path / "battles.json", [battle_row(anony=visible)])
    assert reasons(bad) == ["line 1: anony: the names were visible, so the vote was not blind"]


@pytest.mark.parametrize(
    "fields",
    [
        *({"tstamp": value} for value in (1e30, -1, "soon", True, [], "9" * 400)),
        *({"turn": value} for value in (0, "two", {})),
        *({"judge": value} for value in ({}, [], 1.5, "x" * 2_000)),
        *({"language": value} for value in (7, "und", {})),
    ],
    ids=str,
)
def test_an_optional_field_that_cannot_be_costs_no_vote(tmp_path, fields):
    (vote,), bad = read(tmp_path / "battles.json", [battle_row(**fields)])
    assert bad == []
    ((name, _),) = fields.items()
    of_vote = {"tstamp": vote.created_at, "turn": vote.turns, "language": vote.language}
    assert of_vote.get(name) is None


@pytest.mark.parametrize(
    "time", [1682351591.13, 1682351591130, "1682351591.13", "1682351591130", "2023-04-24T15:53:11.13"]
)
@pytest.mark.parametrize("name", ["tstamp", "timestamp"])
def test_a_time_is_read_in_seconds_in_milliseconds_and_as_text(tmp_path, name, time):
    row = {field: value for field, value in battle_row().items() if field != "tstamp"}
    (vote,), _ = read(tmp_path / "battles.json", [{**row, name: time}])
    assert vote.created_at == datetime(2023, 4, 24, 15, 53, 11, 130_000, tzinfo=UTC)


def test_the_array_and_the_lines_give_the_same_votes(tmp_path):
    rows = [battle_row(question_id=f"q{number}", judge=f"j{number % 7}") for number in range(50)]
    by_lines, _ = read(tmp_path / "a.json", rows)
    by_array, _ = read(tmp_path / "b.json", "\ufeff\n" + json.dumps(rows, indent=2, ensure_ascii=False))
    assert [vote.id for vote in by_array] == [vote.id for vote in by_lines]
    assert len({vote.id for vote in by_lines}) == 50
    assert len({vote.voter for vote in by_lines}) == 7


def test_a_bad_row_of_an_array_is_named_by_the_line_it_starts_on(tmp_path):
    text = '[\n  {"model_a": 1},\n\n  5, {\n "winner": NaN,\n "model_a": "x", "model_b": "y"}\n]\n'
    _, bad = read(tmp_path / "battles.json", text)
    assert [row.line for row in bad] == [2, 4, 4]
    assert reasons(bad)[2] == "line 4: winner: missing"


@pytest.mark.parametrize("chunk", [1, 2, 3, 7, 64, 1000])
def test_an_array_is_the_same_in_whatever_pieces_it_is_read(tmp_path, monkeypatch, chunk):
    monkeypatch.setattr(json_rows, "_CHUNK", chunk)
    path = write(tmp_path / "a.json", ' [ 12 , 3,{"a": "\\"]},"} ,\n"\\ud83d\\ude00", [[]], null,1.5e3 ]\n ')
    with path.open() as text:
        rows = list(json_rows.array(text))
    values = [12, 3, {"a": '"]},'}, "\N{GRINNING FACE}", [[]], None, 1500.0]
    assert rows == list(zip([1, 1, 1, 2, 2, 2, 2], values, strict=True))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[", "line 1: not valid JSON, or the file ends here"),
        ("[\n{},", "line 2: not valid JSON, or the file ends here"),
        ("[{}\n", "line 2: the file ends in the middle of the array"),
        ("[{} {}]", "line 1: not valid JSON"),
        ("[{}\n]\n[", "line 3: there is more after the end of the array"),
        ('[{"a": ', "line 1: not valid JSON, or the file ends here"),
        ("[" * 100_000, "line 1: nested too deeply"),
    ],
)
def test_a_broken_array_is_refused_as_a_whole(tmp_path, text, reason):
    with pytest.raises(Invalid, match=reason):
        read(tmp_path / "battles.json", text)


def test_an_array_may_be_empty(tmp_path):
    assert read(tmp_path / "battles.json", " [ ] ") == ([], [])


def test_a_row_without_end_is_refused_before_it_fills_the_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(json_rows, "_CHUNK", 1_000)
    row = json.dumps(battle_row(x="x" * PLAIN_ROWS.size))
    for text in ("[" + row, row):
        with pytest.raises(Invalid, match=r"a row is longer than 2 MB; `arena votes import --with-texts` reads"):
            read(tmp_path / "battles.json", text)
    votes, bad = read(tmp_path / "battles.json", row, texts=True)
    assert (len(votes), bad) == (1, [])


# --- CSV


@pytest.mark.parametrize(
    ("cell", "outcome"),
    [
        *((word, Outcome.A) for word in ("left", "A", "model_a", "Model A", " a ", "Red 7B")),
        *((word, Outcome.B) for word in ("RIGHT", "b", "model-b", "Blue 7B")),
        *((word, Outcome.TIE) for word in ("tie", "Draw")),
        *((word, Outcome.BOTH_BAD) for word in ("both_bad", "bothbad", "Both bad", "tie (bothbad)")),
    ],
)
def test_the_winner_is_a_usual_word_or_a_name(tmp_path, cell, outcome):
    (vote,), bad = read(tmp_path / "v.csv", f"left,right,winner\nRed 7B,Blue 7B,{cell}\n", columns=TABLE)
    assert bad == []
    assert vote.outcome is outcome


@pytest.mark.parametrize("cell", ["1", "2", "0.5", "red 7b", "nobody", "win"])
def test_a_word_that_may_mean_either_side_is_a_bad_row(tmp_path, cell):
    _, bad = read(tmp_path / "v.csv", f"left,right,winner\nRed 7B,Blue 7B,{cell}\n", columns=TABLE)
    assert reasons(bad)[0].startswith("line 2: winner: none of left, right")


def test_a_name_that_is_also_a_word_for_the_other_side_is_a_bad_row(tmp_path):
    votes, bad = read(tmp_path / "v.csv", "left,right,winner\nb,a,a\na,b,a\ntie,x,tie\n", columns=TABLE)
    assert [vote.outcome for vote in votes] == [Outcome.A]
    assert [row.line for row in bad] == [2, 4]


def test_quotes_line_ends_and_a_byte_order_mark_are_understood(tmp_path):
    text = '\ufeffnote,"right",left,winner\r\n"a\nb, ""c""","Blue, 7B",Red 7B,left\r\n\r\n'
    text += "short,row\r\n,Red 7B,Red 7B,tie\r\n"
    votes, bad = read(tmp_path / "v.csv", text, columns=TABLE)
    assert [(vote.line, vote.a, vote.b) for vote in votes] == [(2, "Red 7B", "Blue, 7B")]
    assert reasons(bad) == ["line 5: 2 cells where the header has 4", "line 6: left and right are the same: 'Red 7B'"]


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_other_delimiters_are_seen_in_the_header(tmp_path, delimiter):
    text = "left,right,winner\nRed,Blue,right\n".replace(",", delimiter)
    (vote,), _ = read(tmp_path / "v.tsv", text, columns=TABLE)
    assert vote.outcome is Outcome.B


def test_a_cell_may_be_as_long_as_an_answer(tmp_path):
    text = f"left,right,winner,answer\nRed,Blue,right,{'x' * 300_000}\n"
    votes, bad = read(tmp_path / "v.csv", text, columns=TABLE)
    assert (len(votes), bad) == (1, [])


def test_broken_quotes_and_missing_cells_are_bad_rows(tmp_path):
    text = b'left,right,winner\n"Red"x,Blue,tie\nRed,Blue\nRed,Blue,tie\nRed,Blue,"tie\n'
    votes, bad = read(tmp_path / "v.csv", text, columns=TABLE)
    assert [vote.line for vote in votes] == [4]
    assert [row.line for row in bad] == [2, 3, 5]
    assert reasons(bad)[1] == "line 3: 2 cells where the header has 3"


@pytest.mark.parametrize(
    ("text", "columns", "reason"),
    [
        ("x,y\n", TABLE, "No column 'left', 'right', 'winner'; there are: 'x', 'y'"),
        ("left,right,winner\n", ColumnNames("left", "right", "winner", "who"), "No column 'who'; there are: 'left',"),
        ("left,left,right,winner\n", TABLE, "More than one column 'left'"),
        ("first,second,winner\n", None, "There are no columns model_a, model_b and winner, but 'first',"),
        ("", TABLE, "v.csv: empty"),
        ("", None, "v.csv: empty"),
        (" \n\n", None, "v.csv: empty"),
        ('"x"y,z\n', TABLE, "The line with the names of the columns is not CSV"),
    ],
)
def test_columns_that_are_not_there_are_named_beside_those_that_are(tmp_path, text, columns, reason):
    with pytest.raises(Invalid, match=reason):
        read(tmp_path / "v.csv", text, columns=columns)


def test_the_same_rows_get_the_same_ids_whatever_options_read_them(tmp_path):
    text = "left,right,winner,who\nRed,Blue,left,ann\nRed,Blue,left,ann\nRed,Blue,left,bob\n"
    with_voter, _ = read(tmp_path / "v.csv", text, columns=ColumnNames("left", "right", "winner", "who"))
    without, _ = read(tmp_path / "w.csv", text, columns=TABLE)
    assert [vote.id for vote in with_voter] == [vote.id for vote in without]
    assert len({vote.id for vote in without}) == 3
    assert len({vote.voter for vote in with_voter}) == 2
    assert len({vote.voter for vote in without}) == 3


def test_the_id_of_a_row_comes_from_the_json_of_its_sorted_items(tmp_path):
    row = {"winner": "tie", "left": "红 7b", "right": 'a "b" \\ c', "note": "x\ty"}
    text = io.StringIO()
    writer = csv.DictWriter(text, row)
    writer.writeheader()
    writer.writerows([row, row])
    votes, _ = read(tmp_path / "votes.csv", text.getvalue())
    content = json.dumps(sorted(row.items()))
    assert [vote.id for vote in votes] == [f"csv:{sha256(f'{content}#{n}'.encode()).hexdigest()[:40]}" for n in (0, 1)]


def test_a_file_that_has_grown_keeps_the_ids_of_its_old_rows(tmp_path):
    text = "left,right,winner\nRed,Blue,left\nRed,Blue,left\n"
    old, _ = read(tmp_path / "v.csv", text, columns=TABLE)
    new, _ = read(tmp_path / "v.csv", text + "Red,Blue,left\n", columns=TABLE)
    assert [vote.id for vote in new][:2] == [vote.id for vote in old]
    assert len({vote.id for vote in new}) == 3


# --- any file


def test_one_name_is_another_voter_in_every_format(tmp_path):
    (first,), _ = read(tmp_path / "a.jsonl", [own_row(voter="ann")])
    (second,), _ = read(tmp_path / "b.json", [battle_row(judge="ann")])
    (third,), _ = read(
        tmp_path / "c.csv", "l,r,w,v\nRed,Blue,tie,ann\n", columns=ColumnNames("l", "r", "w", "v"), format=Format.CSV
    )
    assert len({first.voter, second.voter, third.voter}) == 3


def test_gzip_is_recognised_by_its_bytes(tmp_path):
    path = write(tmp_path / "cut", gzip.compress(SAMPLE.read_bytes()))
    assert read_votes(path, columns=COLUMNS) == read_votes(SAMPLE, columns=COLUMNS)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (gzip.compress(b"[1, 2, 3]" * 1000, mtime=0)[:-20], "damaged or cut off"),
        (b"\x1f\x8b\x08\x00 no gzip at all", "damaged or cut off"),
        (b"\x1f\x8b no gzip at all", "damaged or cut off"),
        (gzip.compress(b"[1, 2, 3]" * 1000, mtime=0)[:-8] + bytes(8), "damaged or cut off"),
        ("left,right\n".encode("utf-16"), "UTF-16; save it as UTF-8"),
        (b"", "empty"),
        (b"PK\x03\x04", "a ZIP archive"),
        (b"hello", "neither JSON nor CSV"),
        (b"[\xff]", "not UTF-8"),
    ],
)
def test_a_file_that_is_no_file_of_votes_is_refused_in_one_line(tmp_path, content, reason):
    with pytest.raises(Invalid, match=reason) as caught:
        read(tmp_path / "file", content)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["missing.csv", "."])
def test_a_path_that_cannot_be_read_is_refused(tmp_path, name):
    with pytest.raises(Invalid, match=r"No such file|Is a directory"):
        read_votes(tmp_path / name)


def test_strict_stops_at_the_first_bad_row(tmp_path):
    rows = [own_row(), own_row(id="two", a=""), own_row(id="three", b="")]
    with pytest.raises(Invalid, match="line 2: a: missing"):
        read(tmp_path / "votes.jsonl", rows, strict=True)


def test_progress_is_told_in_bytes_of_the_file(tmp_path):
    rows = [own_row(id=str(number)) for number in range(20_000)]
    progress: list[int] = []
    path = write(tmp_path / "votes.jsonl", rows)
    read_votes(path, progress=progress.append)
    assert progress == sorted(progress)
    assert path.stat().st_size / 2 < progress[-1] <= path.stat().st_size


def test_real_votes_are_read_as_they_stand(request):
    path = all_votes()
    votes, bad = read_votes(path, columns=COLUMNS)
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    words = {"left": Outcome.A, "right": Outcome.B, "tie": Outcome.TIE}
    assert bad == []
    assert [(v.a, v.b, v.outcome) for v in votes] == [(r["left"], r["right"], words[r["winner"]]) for r in rows]
    assert (len(votes), len({v.a for v in votes} | {v.b for v in votes})) == (8_931, 59)
    assert len({v.id for v in votes}) == 8_931
    assert Counter(Counter(v.voter for v in votes).values()) == Counter(Counter(r["worker"] for r in rows).values())


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(exclude_categories=()), max_size=90),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def check(votes, bad, rows: int) -> None:
    """Whatever came in: each row is a vote that the log accepts or a bad row, and messages are one printable line."""
    assert len(votes) + len(bad) == rows
    for vote in votes:
        assert isinstance(vote, ImportedVote)
        assert vote.a != vote.b
        for name in (vote.a, vote.b):
            assert 1 <= len(name) <= 80
            assert name.isprintable()
            assert name == name.strip()
            name.encode()
        assert 1 <= len(vote.id) <= 64
        assert len(vote.voter) == 64
        assert vote.created_at is None or vote.created_at.year >= 1970
        assert vote.language is None or len(vote.language) <= 8
    for row in bad:
        assert row.reason.isprintable()
        assert len(row.reason) < 250


@SLOW_MACHINE
@given(st.lists(st.dictionaries(st.sampled_from(sorted(own_row())), JSON, max_size=3), min_size=1, max_size=4))
@example([{"created_at": "9999-12-31T23:59:59-14:00"}])
@example([{"seconds": float("inf")}])
def test_no_row_of_ours_however_hostile_breaks_the_reader(tmp_path, changes):
    check(*read(tmp_path / "v.jsonl", [own_row(**change) for change in changes], format=Format.ARENA), len(changes))


@SLOW_MACHINE
@given(
    st.lists(st.dictionaries(st.sampled_from(sorted(battle_row())), JSON, max_size=3) | JSON, min_size=1, max_size=4),
    st.booleans(),
)
def test_no_battle_however_hostile_breaks_the_reader(tmp_path, changes, as_array):
    rows = [battle_row(**change) if isinstance(change, dict) else change for change in changes]
    content = json.dumps(rows, indent=1) if as_array else rows
    if as_array:
        check(*read(tmp_path / "v.json", content), len(rows))
    else:
        check(*read(tmp_path / "v.json", [battle_row(), *rows]), len(rows) + 1)


@SLOW_MACHINE
@given(st.lists(st.tuples(*[st.text(max_size=90)] * 4), min_size=1, max_size=4))
def test_no_table_however_hostile_breaks_the_reader(tmp_path, rows):
    path = tmp_path / "v.csv"
    with path.open("w", newline="", encoding="utf-8", errors="surrogatepass") as file:
        csv.writer(file, quoting=csv.QUOTE_ALL).writerows([("left", "right", "winner", "worker"), *rows])
    check(*read_votes(path, columns=COLUMNS), len(rows))


@SLOW_MACHINE
@given(st.binary(max_size=300), st.sampled_from([None, *Format]))
def test_no_bytes_at_all_break_the_reader(tmp_path, content, kind):
    with suppress(Invalid):
        votes, bad = read(tmp_path / "v", content, format=kind, columns=COLUMNS)
        check(votes, bad, len(votes) + len(bad))


def test_a_file_of_more_rows_than_the_limit_is_refused_in_one_line(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("model_a,model_b,winner\n" + "x,y,model_a\n" * 3)
    assert len(read_votes(path, limit=3)[0]) == 3
    with pytest.raises(Invalid, match=r"votes\.csv: more than 2 rows; split the file\.$"):
        read_votes(path, limit=2)


@pytest.mark.parametrize("winner", ["胜者", "勝者"])
def test_chinese_heads_and_words_for_ties_are_read(tmp_path, winner):
    words = ("平手", "和局", "neither", "模型A", "y")
    text = f"模型A,模型B,{winner}\n" + "".join(f"x,y,{word}\n" for word in words)
    votes, bad = read(tmp_path / "votes.csv", text)
    assert bad == []
    assert [vote.outcome for vote in votes] == ["tie", "tie", "tie", "a", "b"]
