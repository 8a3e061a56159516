"""The report on judges: flips, order, agreement with people, and a panel."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from arena.domain.errors import Invalid
from arena.evaluations.cli.judge_tables import show_judges
from arena.evaluations.domain.errors import EvaluationNotFound
from arena.evaluations.domain.schemas.judges import JudgesView
from arena.evaluations.store import judgements
from arena.evaluations.usecases import importer
from arena.evaluations.usecases.judges import judging
from arena.evaluations.usecases.judges.judges_report import PANELS, judges_report, publish_judges
from arena.evaluations.usecases.judges.judging_plan import JudgingRequest
from tests.conftest import NAMES, START
from tests.evaluations.usecases.populated import caller
from tests.evaluations.usecases.test_judging import GRADES, Referee, add_judge, prepared
from tests.frontend import sample_reports

pytestmark = pytest.mark.sqlite


def better_is_long(text: str) -> str:
    return "[[A>B]]" if text.index("careful") < text.index("Short") else "[[B>A]]"


async def judged(database, scripted, part, verdict, new=GRADES):
    await prepared(database, scripted, part)
    await judging.judge(caller(database, Referee(scripted, verdict)), "taste", new)
    return await judges_report(database, "taste")


async def test_a_judge_that_always_says_a_is_told_in_one_sentence(database, scripted, part, capsys):
    report = await judged(database, scripted, part, lambda _: "[[A]]")
    (judge,) = report.judges
    assert (judge.judgements, judge.pairs, judge.flips.value, judge.shown_first.value) == (8, 4, 1, 1)
    assert {(model.wins, model.ties, model.losses) for model in judge.models} == {(0, 4, 0)}
    show_judges(report)
    assert "referee changed its mind with the order of every pair: all its pairs are ties." in capsys.readouterr().out


async def test_a_steady_judge_orders_the_models_and_shows_its_love_of_length(database, scripted, part, capsys):
    (judge,) = (await judged(database, scripted, part, better_is_long)).judges
    assert (judge.flips.value, judge.shown_first.value, judge.unreadable) == (0, 0.5, 0)
    first, second = judge.models
    assert (first.name, first.wins, first.first_turn.value, first.later_turns.n) == (NAMES[0], 4, 1, 1)
    assert second.losses == 4
    assert first.rating is not None
    assert first.rating > (second.rating or 0)
    assert [(row.least, row.longer) for row in judge.lengths] == [(100, 0), (300, 0)]
    assert judge.agreement == []


async def test_lost_verdicts_are_told_by_model_with_the_outcomes_that_are_missing(database, scripted, part, capsys):
    def verdict(text: str) -> str:
        return "no mark" if "Short" in text.split("careful", maxsplit=1)[0] else "[[A]]"

    report = await judged(database, scripted, part, verdict, JudgingRequest(("referee",), "pairwise"))
    (judge,) = report.judges
    assert (judge.judgements, judge.unreadable) == (8, 4)
    assert {(row.name, row.judgements, row.unreadable) for row in judge.lost} == {(name, 8, 4) for name in NAMES}
    assert judge.missing == ["b", "tie", "both_bad"]
    show_judges(report)
    told = capsys.readouterr().out
    assert "referee: 50.0% of its judgements have no readable verdict (" in told
    assert "None of the readable ones says b, tie, both bad." in told


async def test_no_outcome_is_missing_among_the_readable_ones_where_none_is_readable(database, scripted, part, capsys):
    report = await judged(database, scripted, part, lambda _: "8")
    assert report.judges[0].missing == []
    show_judges(report)
    told = capsys.readouterr().out
    assert "referee: 100.0% of its judgements have no readable verdict (" in told
    assert "None of the readable ones" not in told


async def test_people_who_judged_the_same_pairs_are_agreed_with_by_area(database, scripted, part, tmp_path):
    await prepared(database, scripted, part)
    file = tmp_path / "people.jsonl"
    said = {"sum": NAMES[0], "poem": NAMES[1], "sea": NAMES[0]}
    pair = {"a": NAMES[0], "b": NAMES[1]}
    lines = [
        {**pair, "question": question, "annotator": f"p{person}", "outcome": "a" if model == NAMES[0] else "b"}
        for question, model in said.items()
        for person in range(3)
    ]
    file.write_text("\n".join(map(json.dumps, lines)))
    done = await importer.import_file(database, "taste", file, START)
    assert done.annotations == 9
    await judging.judge(caller(database, Referee(scripted, better_is_long)), "taste", GRADES)
    (judge,) = (await judges_report(database, "taste")).judges
    areas = {row.area: (row.raw.value, row.raw.n) for row in judge.agreement}
    assert areas == {"": (pytest.approx(2 / 3), 3), "Mathematics": (1, 1), "Writing": (0, 1), "Geography": (1, 1)}
    beside = {row.area: (row.people, row.difference, row.usable) for row in judge.agreement}
    assert beside[""] == (1, pytest.approx(-1 / 3), False)
    assert beside["Geography"] == (1, 0, True)


@pytest.mark.parametrize(("flips", "pairs", "text"), [(0.1, 10, "yes"), (0.1, 9, ""), (1.0, 2, ""), (1.0, 10, "no")])
def test_few_pairs_or_one_side_always_make_no_judge_usable(flips, pairs, text, capsys):
    view = sample_reports.judge("referee", flips)
    row = {**view["agreement"][0], "raw": sample_reports.estimate(0.7, pairs)}
    report = {"evaluation": "taste", "judges": [{**view, "agreement": [row]}]}
    show_judges(JudgesView.model_validate(report))
    lines = capsys.readouterr().out.splitlines()
    start = lines.index("Agreement with the majority of people")
    heads, cells = next((a, b) for a, b in pairwise(lines[start:]) if "usable" in a)
    place = heads.index("usable")
    assert cells[place : place + 6].strip() == text


async def test_people_stand_beside_judges_in_the_same_figures_by_turn_and_area(database, scripted, part, tmp_path):
    await prepared(database, scripted, part)
    file = tmp_path / "people.jsonl"
    row = {"a": NAMES[0], "b": NAMES[1], "annotator": "p", "outcome": "b"}
    file.write_text("\n".join(json.dumps({**row, "question": question}) for question in ("sum", "poem")))
    await importer.import_file(database, "taste", file, START)
    await judging.judge(caller(database, Referee(scripted, better_is_long)), "taste", GRADES)
    report = await judges_report(database, "taste")
    (judge,), people = report.judges, report.people
    assert people is not None
    assert [(model.name, model.wins, model.losses) for model in people.models] == [(NAMES[1], 2, 0), (NAMES[0], 0, 2)]
    assert (people.pairs, people.agreement) == (2, [])
    rates = {(row.statistic, row.area, row.model): (row.value, row.n) for row in judge.figures}
    assert rates["all_turns", "", NAMES[0]] == (1, 4)
    assert rates["later_turns", "Mathematics", NAMES[1]] == (0, 1)
    assert ("later_turns", "Writing", NAMES[0]) not in rates
    assert (judge.pearson, judge.spearman, judge.p) == (None, None, None)


async def test_an_unreadable_text_loses_its_pair(database, scripted, part):
    (judge,) = (await judged(database, scripted, part, lambda text: "[[A]]" if "poem" in text else "Hm.")).judges
    assert (judge.judgements, judge.unreadable, judge.pairs) == (8, 6, 1)


async def test_several_judges_with_one_rubric_are_a_panel(database, scripted, part):
    await prepared(database, scripted, part)
    await database.write(lambda session: add_judge(session, "umpire"))
    new = JudgingRequest(("referee", "umpire"), "grades")
    await judging.judge(caller(database, Referee(scripted, better_is_long)), "taste", new)
    first, second, panel, mean = (await judges_report(database, "taste")).judges
    assert (first.judge, second.judge, panel.judge, mean.judge) == ("referee", "umpire", *PANELS)
    assert mean.models == panel.models
    assert (panel.judgements, panel.pairs, panel.flips.value) == (0, 4, None)
    assert panel.models[0].wins == 4


async def test_scores_are_means_and_compare_answers_by_the_rule(database, scripted, part):
    def generous(text: str) -> str:
        return "[[9]]" if "careful" in text else "[[6]]"

    (judge,) = (await judged(database, scripted, part, generous, JudgingRequest(("referee",), "score"))).judges
    assert [(row.name, row.criterion, row.mean.value, row.mean.n) for row in judge.scores] == [
        (NAMES[0], "score", 9, 4),
        (NAMES[1], "score", 6, 4),
    ]
    assert (judge.judgements, judge.pairs, judge.flips.value, judge.shown_first.value) == (8, 4, None, None)
    assert [(model.name, model.wins, model.losses) for model in judge.models] == [(NAMES[0], 4, 0), (NAMES[1], 0, 4)]
    with pytest.raises(Invalid, match="no rule 'fair'; there are: symmetric, printed"):
        await judges_report(database, "taste", "fair")


async def test_a_report_is_published_with_costs_and_replaces_the_one_before(database, scripted, part):
    with pytest.raises(EvaluationNotFound):
        await publish_judges(database, "taste", START)
    await prepared(database, scripted, part, price_in=1.0, price_out=4.0)
    with pytest.raises(Invalid, match="Nobody has judged taste"):
        await publish_judges(database, "taste", START)
    await judging.judge(caller(database, Referee(scripted, better_is_long)), "taste", GRADES)
    for _ in range(2):
        found = await publish_judges(database, "taste", START)
    assert 0 < (found.judges[0].cost or 0) < 10
    assert await database.read(judgements.reports) == [found.model_dump(mode="json")]


async def test_without_judgements_there_are_no_judges(database, scripted, part, capsys):
    await prepared(database, scripted, part)
    report = await judges_report(database, "taste")
    assert report.judges == []
    show_judges(report)
    assert "Nobody has judged taste" in capsys.readouterr().out
