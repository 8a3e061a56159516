"""TencentLLMEval's disqualification as a preset of an evaluation, and who judges again what is removed."""

import json

import pytest

from arena.domain.schemas.questions import QuestionView
from arena.evaluations.domain.schemas.evaluations import AnnotationRequest
from arena.evaluations.usecases import generation, importer, lifecycle
from arena.evaluations.usecases.people import annotations, annotators
from arena.evaluations.usecases.people.tencent_rule import disqualify, tencent_verdict
from arena.evaluations.usecases.reports.report import report
from tests.conftest import NAMES, START
from tests.evaluations.usecases.populated import add_evaluation, caller
from tests.evaluations.usecases.test_redistribution import say
from tests.scripted import ScriptedAnswer

pytestmark = pytest.mark.sqlite
WRONG = ("a", "b", "b", "b", "b", "b")
"""The first of six says the contrary of all others, and always the left one."""


def questions(area: str, number: int) -> list[QuestionView]:
    return [QuestionView(id=f"{area}{place}", turns=["?"], area=area) for place in range(number)]


async def judged(database, tmp_path, asked, said):
    await add_evaluation(database, questions=asked)
    await say(database, tmp_path, asked, *said)
    return await tencent_verdict(database, "taste")


async def test_whoever_is_on_both_lists_is_left_out_and_above_15_percent_reviewers_judge_again(database, tmp_path):
    verdict = await judged(database, tmp_path, questions("Writing", 10), WRONG)
    assert (verdict.by_overlap, verdict.by_lean, verdict.both) == (["p0"], ["p0"], ["p0"])
    assert verdict.panel == ["17% of all above 15%"]
    ((label, _, number),) = await disqualify(database, "taste", verdict, START)
    assert (label, number) == ("p0", 10)
    found = await report(database, "taste")
    assert [(who.label, who.annotations) for who in found.left_out] == [("p0", 10)]


async def test_a_wrong_one_alone_or_a_leaning_one_alone_stays(database, tmp_path):
    verdict = await judged(database, tmp_path, questions("Writing", 3), WRONG)
    assert (verdict.by_overlap, verdict.by_lean, verdict.both, verdict.panel) == ([], ["p0"], [], [])


async def test_an_area_and_important_tasks_have_their_own_shares(database, tmp_path):
    talks, mails, poems = questions("Dialogue", 10), questions("Mail", 12), questions("Poems", 2)
    await add_evaluation(database, questions=[*talks, *mails, *poems])
    await say(database, tmp_path, talks, *WRONG)
    rows = [("p1", mails, "b"), ("p2", mails, "b"), ("p0", poems, "a"), ("p1", poems, "b")]
    file = tmp_path / "more.jsonl"
    said = [
        {"question": question.id, "a": "red-7b", "b": "blue-7b", "outcome": outcome, "annotator": person}
        for person, asked, outcome in rows
        for question in asked
    ]
    file.write_text("".join(f"{json.dumps(row)}\n" for row in said))
    await importer.import_file(database, "taste", file, START)
    verdict = await tencent_verdict(database, "taste")
    assert verdict.panel == ["50% of Poems above 30%", "17% of important tasks above 15%"]
    assert (await tencent_verdict(database, "taste", ["Mail"])).panel == ["50% of Poems above 30%"]


async def test_what_a_panel_gets_is_for_reviewers_alone(database, scripted):
    scripted.parts.update({name: ScriptedAnswer(pieces=["4"]) for name in NAMES})
    await add_evaluation(database, questions=questions("Writing", 1), per_item=1)
    await generation.generate(caller(database, scripted), "taste", at_once=8)
    await lifecycle.open_evaluation(database, "taste")
    (_, first), (_, other) = await annotators.invite(database, "taste", 2, START)
    ((_, reviewer),) = await annotators.invite(database, "taste", 1, START, annotators.InvitationTerms(reviewer=True))
    (item,) = (await annotations.items(database, first, "here", START)).items
    await annotations.annotate(database, first, item.number, AnnotationRequest(said={"outcome": "a"}), START)
    await annotators.take_back(database, "taste", "1", "on both lists", START, panel=True)
    assert (await annotations.items(database, other, "here", START)).items == []
    assert len((await annotations.items(database, reviewer, "here", START)).items) == 1


async def test_reviewers_can_complete_an_item_of_which_a_panel_judges_two_again(database, scripted):
    scripted.parts.update({name: ScriptedAnswer(pieces=["4"]) for name in NAMES})
    await add_evaluation(database, questions=questions("Writing", 1))
    await generation.generate(caller(database, scripted), "taste", at_once=8)
    await lifecycle.open_evaluation(database, "taste")
    people = await annotators.invite(database, "taste", 3, START)
    reviewers = await annotators.invite(database, "taste", 4, START, annotators.InvitationTerms(reviewer=True))
    vote = AnnotationRequest(said={"outcome": "a"})
    for _, link in people:
        await annotations.items(database, link, "here", START)
        await annotations.annotate(database, link, 1, vote, START)
    for label, _ in people[:2]:
        await annotators.take_back(database, "taste", label, "on both lists", START, panel=True)
    for _, link in reviewers:
        if (await annotations.items(database, link, "here", START)).items:
            await annotations.annotate(database, link, 1, vote, START)
    assert await lifecycle.describe_gap(database, "taste") == ""
