"""Reports: the figures of the sources, and small tables that can be worked out by hand."""

import json
import math
import os
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from arena.domain.schemas.questions import QuestionView
from arena.evaluations.cli.evaluation_tables import show_report
from arena.evaluations.domain.people.protocols import names
from arena.evaluations.domain.people.protocols import protocol as protocol_named
from arena.evaluations.domain.schemas.evaluation_reports import EvaluationReportView
from arena.evaluations.domain.schemas.figures import by_area
from arena.evaluations.domain.terms import Level, ScoredBy
from arena.evaluations.usecases import importer, lifecycle, views
from arena.evaluations.usecases.people import annotators, redistribution
from arena.evaluations.usecases.reports.export import export
from arena.evaluations.usecases.reports.report import report
from tests.conftest import START
from tests.evaluations.usecases.populated import QUESTIONS, add_evaluation
from tests.paths import ROOT

pytestmark = pytest.mark.sqlite

STARS = ("accuracy", "fluency", "informativeness", "logic", "harmlessness")
MANY = [*QUESTIONS, *(QuestionView(id=str(number), turns=["?"]) for number in range(97))]
"""More questions than anybody judges here."""


async def judged(database, tmp_path, *rows: dict, **options):
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    done = await importer.import_file(database, "taste", path, START, **options)
    assert done.refused == []
    return await report(database, "taste")


def compared(question: str, *said: str) -> list[dict]:
    row = {"question": question, "a": "red-7b", "b": "blue-7b"}
    return [{**row, "outcome": word, "annotator": f"p{number}"} for number, word in enumerate(said)]


async def test_without_an_annotation_there_is_an_empty_report(database):
    await add_evaluation(database)
    found = await report(database, "taste")
    assert (found.annotations, found.board, found.pairs, found.annotators) == (0, [], [], [])


PEOPLES = sorted(name for name in names() if protocol_named(name).scored_by is ScoredBy.PEOPLE)


@pytest.mark.parametrize("protocol", PEOPLES)
async def test_every_protocol_has_a_report_without_annotations_and_without_empty_tables(database, protocol):
    await add_evaluation(database, protocol=protocol)
    found = await report(database, "taste")
    assert (found.annotations, found.areas, found.totals) == (0, [], [])


async def test_a_model_of_which_nothing_is_judged_is_named_in_report_command_and_file(database, tmp_path, capsys):
    await add_evaluation(database, models=(), others=("red-7b", "blue-7b", "green-7b"))
    found = await judged(database, tmp_path, *compared("sum", "a", "b"))
    assert [row.model for row in found.unjudged] == ["green-7b"]
    show_report(found)
    out = capsys.readouterr().out
    assert "No judgements yet: green-7b.\n" in out
    assert b"unjudged\nmodel\ngreen-7b\n" in views.as_csv(found)


async def test_the_remark_on_accuracies_is_printed_only_with_one(database, tmp_path, capsys):
    await add_evaluation(database)
    found = await judged(database, tmp_path, *compared("sum", "a", "b"))
    without = [row.model_copy(update={"accuracy": None}) for row in found.annotators]
    for rows, is_there in ((found.annotators, True), (without, False)):
        show_report(found.model_copy(update={"annotators": rows}))
        assert ("below three people" in capsys.readouterr().out) == is_there


async def test_what_is_published_of_a_model_that_nobody_judged_leaves_the_digest_and_older_reports_as_they_are(
    database, tmp_path
):
    await add_evaluation(database, models=(), others=("red-7b", "blue-7b", "green-7b"))
    found = await judged(database, tmp_path, *compared("sum", "a"))
    digest = await lifecycle.close_evaluation(database, "taste", START)
    assert digest == sha256(b"".join(await export(database, "taste"))).hexdigest()
    await lifecycle.publish_report(database, "taste", report)
    shown = (await views.record(database, "taste")).report
    assert shown is not None
    assert shown.unjudged == found.unjudged
    older = {name: value for name, value in found.model_dump(mode="json").items() if name != "unjudged"}
    assert EvaluationReportView.model_validate(older).unjudged == []


async def test_agreement_needs_an_item_that_two_people_have_judged(database, tmp_path):
    await add_evaluation(database)
    alone = await judged(database, tmp_path, *compared("sum", "a"))
    assert (alone.agreement, alone.areas) == ([], [])
    together = await judged(database, tmp_path, *compared("sum", "a", "a"))
    assert {row.method for row in together.agreement} >= {"raw", "fleiss", "cohen p0 p1"}
    assert [row.agreement for row in together.areas] == [1.0]


async def test_accuracy_of_outcomes_is_that_of_their_points(database, tmp_path):
    """Three raters: whoever is alone is farther from the mean than its deviation (equation 5), the others are not."""
    many = [QuestionView(id=str(number), turns=["?"]) for number in range(6)]
    await add_evaluation(database, questions=many)
    said = ["aab", "aba", "baa", "ab|tie", "aaa", "abb"]
    rows = [row for each, words in zip(many, said, strict=True) for row in compared(each.id, *WORDS[words])]
    found = await judged(database, tmp_path, *rows)
    right = {each.label: each.accuracy for each in found.annotators}
    assert right == {"p0": pytest.approx(3 / 6), "p1": pytest.approx(4 / 6), "p2": pytest.approx(5 / 6)}


WORDS = {"aab": "aab", "aba": "aba", "baa": "baa", "ab|tie": ("a", "b", "tie"), "aaa": "aaa", "abb": "abb"}


async def test_noisy_raters_of_five_criteria_are_no_random_clickers(database, tmp_path):
    """The scores of an answer together hardly ever agree, those of a criterion do."""
    rng = np.random.default_rng(4)
    many = [QuestionView(id=str(number), turns=["?"]) for number in range(60)]
    await add_evaluation(database, questions=many, protocol="stars")
    rows = []
    for question in many:
        for model, quality in (("red-7b", 2.4), ("blue-7b", 1.7)):
            own = rng.normal(0, 0.35, 5)
            for person in range(4):
                stars = np.clip(np.round(quality + own + rng.normal(0, 0.6, 5)), 1, 3).astype(int).tolist()
                if person == 3:
                    stars = rng.integers(1, 4, 5).tolist()
                scores = dict(zip(STARS, stars, strict=True))
                rows.append({"question": question.id, "model": model, "annotator": f"p{person}", **scores})
    found = await judged(database, tmp_path, *rows)
    below = redistribution.below_limits(found.annotators, redistribution.Thresholds(right=0))
    assert [label for label, _ in below] in (["p3"], [])


async def test_totals_before_are_of_the_same_level_as_those_after(database, tmp_path):
    many = [QuestionView(id=f"{area}{task}", turns=["?"], area=area, task=task) for area, task in AREAS_AND_TASKS]
    await add_evaluation(database, questions=many, protocol="score")
    rows = [
        {"question": question.id, "model": model, "annotator": person, "score": 1 + (place * 3 + len(model)) % 9}
        for place, question in enumerate(many)
        for model in ("red-7b", "blue-7b")
        for person in ("ada", "bob")
    ]
    await judged(database, tmp_path, *rows)
    await annotators.take_back(database, "taste", "bob", "as ada did", START)
    for level in Level:
        found = await report(database, "taste", level)
        assert found.totals_before == found.totals


AREAS_AND_TASKS = (("x", "1"), ("x", "2"), ("x", "3"), ("y", "1"))


async def test_outcomes_become_boards_and_repeats_are_no_new_votes(database, tmp_path):
    rows = [*compared("sum", "a", "a", "b"), *compared("poem", "tie", "both_bad", "skip"), *compared("sea", "a")]
    repeat = {**compared("sum", "b")[0], "attempt": 1}
    await add_evaluation(database)
    found = await judged(database, tmp_path, *rows, repeat)
    assert (found.annotations, found.skipped) == (8, 1)
    red, blue = found.board
    assert (red.name, red.battles, red.wins, red.draws, red.losses, red.both_bad) == ("red-7b", 6, 3, 1, 1, 1)
    assert (red.points, blue.points) == (4.0, 2.0)
    assert red.win_rate == pytest.approx(3.5 / 6)
    assert (red.rank, blue.rank) == (1, 2)
    assert found.pairs[0].fraction == pytest.approx(0.25)
    assert red.elo_in_order > 1500 > blue.elo_in_order
    areas = {each.area: each.agreement for each in found.areas}
    assert areas["Mathematics"] == pytest.approx(1 / 3)
    assert areas["Writing"] == 0
    first = found.annotators[0]
    assert (first.label, first.annotations, first.repeats, first.consistency) == ("p0", 4, 2, 0.5)
    assert found.annotators[2].skipped == 1


def told(found, statistic: str) -> dict[tuple[str, str], float]:
    return {(each.area, each.model): each.value for each in found.figures if each.statistic == statistic}


async def test_elo_and_win_rates_stand_by_area_and_rates_are_averaged_over_opponents(database, tmp_path):
    models = ("red", "blue", "green")
    await add_evaluation(database, models=(), others=models)
    met = (("sum", "red", "blue", "a"), ("poem", "red", "blue", "b"), ("sum", "red", "green", "tie"))
    words = [(*pair, person) for pair in met for person in ("p", "q", "r")[: 1 if pair[2] == "green" else 3]]
    rows = [{"question": q, "a": a, "b": b, "outcome": said, "annotator": who} for q, a, b, said, who in words]
    found = await judged(database, tmp_path, *rows)
    elo, rate, kept = (told(found, name) for name in ("elo", "win_rate", "kept_of_opponents"))
    assert elo["Mathematics", "red"] > 1000 > elo["Mathematics", "blue"]
    assert elo["Writing", "red"] < 1000 < elo["Writing", "blue"]
    assert (rate["", "red"], rate["Writing", "red"]) == (pytest.approx(3.5 / 7), 0)
    assert kept["", "red"] == pytest.approx((3 / 6 + 1) / 2)
    assert ("Writing", "green") not in elo


async def test_an_area_with_one_judgement_has_its_win_rates_and_no_elo(database, tmp_path):
    await add_evaluation(database)
    found = await judged(database, tmp_path, *compared("sum", "a", "b"), *compared("poem", "tie"))
    elo, rate = told(found, "elo"), told(found, "win_rate")
    assert (rate["Writing", "red-7b"], rate["Writing", "blue-7b"]) == (0.5, 0.5)
    assert {area for area, _ in elo} == {"", "Mathematics"}
    tables = by_area(found.figures)
    assert [line["area"] for line in tables["elo"]] == [line["area"] for line in tables["win_rate"]]
    (line,) = (line for line in tables["elo"] if line["area"] == "Writing")
    assert line == {"area": "Writing", "red-7b": None, "blue-7b": None}


async def test_the_excellent_rate_is_the_share_of_highest_scores_by_area_or_category(database, tmp_path):
    await add_evaluation(database, protocol="tiers")
    rows = [
        {"question": question, "model": "red-7b", "annotator": f"p{person}", "tier": tier}
        for question, tiers in {"sum": (2, 2, 1), "poem": (0, 1, 2)}.items()
        for person, tier in enumerate(tiers)
    ]
    found = await judged(database, tmp_path, *rows)
    excellent = {("", "red-7b"): 0.5, ("Mathematics", "red-7b"): pytest.approx(2 / 3), ("Writing", "red-7b"): 1 / 3}
    assert told(found, "excellent") == excellent
    assert told(found, "mean")["Mathematics", "red-7b"] == pytest.approx(5 / 3)
    assert {each.area for each in (await report(database, "taste", Level.TASK)).figures} == {""}


async def test_neighbours_are_a_tie_until_there_are_enough_annotations_and_the_report_says_how_many_more(
    database, tmp_path
):
    await add_evaluation(database, questions=MANY)
    (close,) = (await judged(database, tmp_path, *compared("sum", *"aaaabbb"))).neighbours
    assert (close.first, close.second, close.tie) == ("red-7b", "blue-7b", True)
    assert (close.more or 0) > 20 * 7 - 7
    rows = [each for question in ("poem", "sea") for each in compared(question, *"a" * 60, *"b" * 3)]
    (clear,) = (await judged(database, tmp_path, *rows)).neighbours
    assert clear.z > 4
    assert (clear.tie, clear.more) == (True, math.ceil(133 * (20 / 3 - 1)))


async def test_an_order_is_claimed_from_three_hundred_annotations_of_twenty_items(database, tmp_path):
    many = [QuestionView(id=str(number), turns=["?"]) for number in range(25)]
    await add_evaluation(database, questions=many)
    said = [np.roll([*"aaaaaaaaaabb"], turn).tolist() for turn in range(len(many))]
    rows = [row for each, words in zip(many, said, strict=True) for row in compared(each.id, *words)]
    (clear,) = (await judged(database, tmp_path, *rows)).neighbours
    assert (clear.first, clear.tie, clear.more) == ("red-7b", False, 0)


@pytest.mark.parametrize(("number", "missing"), [(15, 5), (20, 0)])
async def test_further_judgements_are_named_while_there_are_questions_enough_for_them(
    database, tmp_path, number, missing
):
    await add_evaluation(database, questions=[QuestionView(id=str(place), turns=["?"]) for place in range(number)])
    (duel,) = (
        await judged(database, tmp_path, *compared("1", *"aab"), *compared("2", *"abb"), *compared("3", "a"))
    ).duels
    assert (duel.items, duel.missing_questions, duel.more is None) == (3, missing, missing > 0)


async def test_below_twenty_questions_no_annotations_are_named_by_the_neighbours_either(database, tmp_path):
    await add_evaluation(database)
    rows = [row for each in QUESTIONS for row in compared(each.id, *"a" * 150, *"b" * 9)]
    found = await judged(database, tmp_path, *rows)
    (pair,), (duel,), (verdict,) = found.neighbours, found.duels, found.verdicts
    assert (pair.tie, pair.more, pair.more_questions) == (True, None, 17)
    assert (duel.more, duel.missing_questions, duel.more_questions) == (None, 17, None)
    assert (verdict.more, verdict.missing_questions, verdict.more_questions) == (None, 17, None)


async def test_people_who_agree_about_each_question_leave_nothing_for_more_judgements_to_tell(database, tmp_path):
    many = [QuestionView(id=str(number), turns=["?"]) for number in range(30)]
    await add_evaluation(database, questions=many)
    found: list[EvaluationReportView] = []
    for people in (range(5), range(5, 17)):
        rows = [
            {**row, "annotator": f"p{person}"}
            for person in people
            for place, each in enumerate(many)
            for row in compared(each.id, "b" if place % 3 == 0 else "a")
        ]
        found.append(await judged(database, tmp_path, *rows))
    views = [(report.duels[0], report.verdicts[0], report.neighbours[0]) for report in found]
    assert {view.more for each in views for view in each} == {None}
    assert {view.missing_questions for duel, verdict, _ in views for view in (duel, verdict)} == {0}
    assert [duel.more_questions for duel, *_ in views] == [63] * 2
    assert [pair.more_questions for *_, pair in views] == [63] * 2
    assert all(0 < (verdict.more_questions or 0) <= 63 for _, verdict, _ in views)


async def test_whoever_was_left_out_is_named_with_the_board_before_and_after(database, tmp_path):
    await add_evaluation(database)
    before = await judged(database, tmp_path, *compared("sum", "a", "b"), *compared("sea", "a", "b"))
    assert (before.left_out, before.board_before) == ([], [])
    await annotators.take_back(database, "taste", "p1", "random answers", START)
    found = await report(database, "taste")
    assert [(each.label, each.reason, each.annotations) for each in found.left_out] == [("p1", "random answers", 2)]
    assert [(each.name, each.points) for each in found.board] == [("red-7b", 2), ("blue-7b", 0)]
    assert [each.points for each in found.board_before] == [2, 2]


async def test_whoever_falls_below_the_thresholds_is_left_out_with_the_reason(database, tmp_path):
    many = [QuestionView(id=str(number), turns=["?"]) for number in range(12)]
    await add_evaluation(database, questions=many)
    found = await judged(database, tmp_path, *(row for each in many for row in compared(each.id, *"aaaab")))
    done = await redistribution.redistribute(database, "taste", found.annotators, redistribution.Thresholds(), START)
    assert done == [("p4", "0.00 of 12 answers as the others, below 0.50", 12)]
    after = await report(database, "taste")
    assert (after.annotations, [each.label for each in after.left_out]) == (48, ["p4"])
    assert list(redistribution.below_limits(after.annotators, redistribution.Thresholds())) == []


async def test_answers_with_points_have_neighbours_too(database, tmp_path):
    await add_evaluation(database, protocol="score", questions=MANY)
    scores = {"red-7b": (9, 8, 9), "blue-7b": (4, 3, 5)}
    rows = [
        {"question": question, "model": model, "annotator": "p", "score": score}
        for model, given in scores.items()
        for question, score in zip(("sum", "poem", "sea"), given, strict=True)
    ]
    (pair,) = (await judged(database, tmp_path, *rows)).neighbours
    assert (pair.first, pair.tie, pair.more) == ("red-7b", True, 294)
    assert pair.difference == pytest.approx(100 * (26 - 12) / 30)


async def test_few_answers_need_a_larger_difference_than_a_normal_error_says(database, tmp_path):
    """The difference is 2.24 standard errors, but three answers each leave Welch's test three degrees of freedom."""
    await add_evaluation(database, protocol="score", questions=MANY)
    rows = [
        {"question": question, "model": model, "annotator": "p", "score": score}
        for model, scores in {"red-7b": (9, 7, 9), "blue-7b": (7, 6, 7)}.items()
        for question, score in zip(("sum", "poem", "sea"), scores, strict=True)
    ]
    (pair,) = (await judged(database, tmp_path, *rows)).neighbours
    assert (pair.first, pair.tie, pair.more > 0) == ("red-7b", True, True)


async def test_scores_are_means_by_criterion_and_totals_are_means_over_areas(database, tmp_path):
    await add_evaluation(database, protocol="stars-llmeval2")
    full = {"accuracy": 5, "informativeness": 3, "fluency": 3, "logic": 3}
    rows = [
        {"question": "sum", "model": "red-7b", "annotator": "p", "correctness": 3, "explanation": 2},
        {"question": "sum", "model": "red-7b", "annotator": "q", "correctness": 3, "explanation": 0},
        {"question": "poem", "model": "red-7b", "annotator": "p", **full},
        {"question": "poem", "model": "red-7b", "annotator": "q", **full, "accuracy": 0, "logic": 1},
    ]
    found = await judged(database, tmp_path, *rows)
    means = {(each.criterion, each.area): (each.mean, each.scores) for each in found.criteria}
    assert means["explanation", ""] == (1.0, 2)
    assert means["accuracy", "Writing"] == (2.5, 2)
    assert [(each.model, each.percent) for each in found.totals] == [
        ("red-7b", pytest.approx(100 * (4 / 5 + 10.5 / 14) / 2))
    ]
    alpha = {each.criterion: each.value for each in found.agreement if each.method == "krippendorff_ordinal"}
    assert alpha["objective explanation"] == 0
    assert {each.criterion for each in found.agreement if each.method == "cohen p q"} == set(alpha)


async def test_agreement_of_all_areas_counts_the_questions_of_every_area(database, tmp_path):
    await add_evaluation(database, questions=[*QUESTIONS[:2], QuestionView(id="bare", turns=["?"])])
    rows = [*compared("sum", "a", "a"), *compared("poem", "a", "a"), *compared("bare", "a", "b")]
    found = await judged(database, tmp_path, *rows)
    values = {row.area: row.agreement for row in found.areas}
    assert values[""] == pytest.approx(2 / 3)
    assert (values["Mathematics"], values["Writing"]) == (1, 1)


async def test_the_command_says_what_differences_and_agreement_of_scores_are_of(database, tmp_path, capsys):
    await add_evaluation(database, protocol="stars")
    rows = [
        {"question": question, "model": model, "annotator": person, **dict.fromkeys(STARS, 2), "accuracy": accuracy}
        for question in ("sum", "poem")
        for model in ("red-7b", "blue-7b")
        for person, accuracy in (("p", 3), ("q", 1))
    ]
    found = await judged(database, tmp_path, *rows)
    assert [(row.area, row.agreement) for row in found.areas] == [("Mathematics", 0), ("Writing", 0)]
    one = found.model_copy(update={"criteria": [row for row in found.criteria if row.criterion == "logic"]})
    of_differences, of_agreement = "between mean scores over all answers", "only if they give it the same score on ever"
    for view, counts in ((found, (1, 2)), (one, (1, 0)), (found.model_copy(update={"totals": []}), (0, 2))):
        show_report(view)
        out = capsys.readouterr().out
        assert (out.count(of_differences), out.count(of_agreement)) == counts


async def test_best_and_worst_stand_by_criterion_and_area_the_largest_difference_first(database, tmp_path):
    await add_evaluation(database, protocol="stars")
    stars = dict.fromkeys(STARS, 2)
    rows = [
        {"question": question, "model": model, "annotator": "p", **stars, "accuracy": accuracy}
        for question, model, accuracy in (
            ("sum", "red-7b", 3),
            ("sum", "blue-7b", 1),
            ("poem", "red-7b", 2),
            ("poem", "blue-7b", 3),
        )
    ]
    spreads = (await judged(database, tmp_path, *rows)).spreads
    differences = {(spread.criterion, spread.area): (spread.difference, spread.best) for spread in spreads}
    assert differences["accuracy", "Mathematics"] == (2, "red-7b")
    assert differences["accuracy", "Writing"] == (1, "blue-7b")
    assert differences["accuracy", ""] == (0.5, "red-7b")
    assert differences["", "Mathematics"] == (pytest.approx(0.4), "red-7b")
    assert [spread.difference for spread in spreads] == sorted((s.difference for s in spreads), reverse=True)


LONGER = ("won", "tied", "lost")


def longer_won(test: dict, person: int, least: int) -> str | None:
    """What a person says of the longer answer of a pair of PandaLM's, if one is so much longer."""
    texts = test["response1"], test["response2"]
    if not all(isinstance(text, str) and text.strip() for text in texts):
        return None
    first, second = map(len, texts)
    if abs(first - second) < least:
        return None
    said = int(test[f"annotator{person}"])
    return "tied" if not said else "won" if (said == 1) == (first > second) else "lost"


async def test_two_answers_that_one_person_gave_points_count_as_a_pair_in_the_table_of_lengths(database, tmp_path):
    models = ("brief", "wordy", "silent")
    await add_evaluation(database, models=(), others=models, protocol="stars")
    answers = [
        {"question": question, "model": model, "answer": "x" * length}
        for question in ("sea", "poem")
        for model, length in (("brief", 10), ("wordy", 150))
    ]
    rows = [
        {"question": question, "model": model, "annotator": who, **dict.fromkeys(STARS, 2), "fluency": fluency}
        for question, who, points in (("sea", "p", (1, 3, 2)), ("sea", "q", (2, 2, 2)), ("poem", "p", (3, 1, 1)))
        for model, fluency in zip(models, points, strict=True)
    ]
    found = await judged(database, tmp_path, *answers, *rows)
    assert [row.model_dump() for row in found.lengths] == [
        {"least": 100, "longer": 1, "tie": 1, "shorter": 1, "share": pytest.approx(1 / 3)},
        {"least": 300, "longer": 0, "tie": 0, "shorter": 0, "share": None},
    ]


async def test_pandalms_three_people_agree_as_their_paper_says(database, tmp_path):
    folder = Path(os.environ.get("ARENA_TEST_DATA") or ROOT.parent / "shared" / "data")
    path = folder / "pandalm" / "testset-v1.json"
    if not path.is_file():
        pytest.skip("the whole PandaLM test set is not here; ARENA_TEST_DATA may name its folder")
    tests = json.loads(path.read_text())
    words = {0: "tie", 1: "a", 2: "b"}
    models = sorted({name for each in tests for name in each["cmp_key"].split("_")})
    await add_evaluation(
        database,
        questions=[QuestionView(id=str(each["idx"]), turns=["Compare."]) for each in tests],
        models=(),
        others=models,
    )
    rows = [
        {
            "question": str(each["idx"]),
            **dict(zip("ab", each["cmp_key"].split("_"), strict=True)),
            "outcome": words[int(each[f"annotator{person}"])],
            "annotator": str(person),
        }
        for each in tests
        for person in (1, 2, 3)
    ]
    answers = [
        {"question": str(each["idx"]), "model": model, "answer": text}
        for each in tests
        for model, text in zip(each["cmp_key"].split("_"), (each["response1"], each["response2"]), strict=True)
        if isinstance(text, str) and text.strip()
    ]
    found = await judged(database, tmp_path, *answers, *rows)
    assert found.annotations == 2997
    assert [(row.least, row.longer, row.tie, row.shorter) for row in found.lengths] == [
        (
            least,
            *(
                sum(longer_won(each, person, least) == word for each in tests for person in (1, 2, 3))
                for word in LONGER
            ),
        )
        for least in (100, 300)
    ]
    figures = {each.method: each.value for each in found.agreement}
    assert figures["fleiss"] == pytest.approx(0.8642, abs=5e-5)
    cohens = [figures[f"cohen {pair}"] for pair in ("1 2", "1 3", "2 3")]
    assert cohens == pytest.approx([0.852, 0.879, 0.862], abs=5e-4)
    assert [row.name for row in found.board][-1] == min(found.board, key=lambda row: row.points_per_battle).name


async def test_against_a_baseline_the_majority_of_people_wins_and_a_tie_is_no_loss(database, tmp_path):
    await add_evaluation(database, models=["red-7b"], others=["gull"], baseline="blue-7b")
    said = {"sum": ("a", "a", "b"), "poem": ("b", "b"), "sea": ("a", "tie")}
    rows = [
        {"question": question, "a": "red-7b", "b": "blue-7b", "outcome": word, "annotator": f"p{number}"}
        for question, words in said.items()
        for number, word in enumerate(words)
    ]
    (whole, *areas) = (await judged(database, tmp_path, *rows)).against_baseline
    assert (whole.model, whole.baseline, whole.wins, whole.ties, whole.losses) == ("red-7b", "blue-7b", 1, 1, 1)
    assert whole.share == pytest.approx(2 / 3)
    assert {(each.area, each.share) for each in areas} == {("Mathematics", 1), ("Writing", 0), ("Geography", 1)}
