"""Annotating by links: blind, each item once per person, three people per item, all of it kept."""

import asyncio
import json
from collections import Counter
from datetime import timedelta
from itertools import pairwise

import pytest
from sqlalchemy import event, select
from sqlalchemy.engine import Engine

from arena.adapters.store import voters
from arena.adapters.store.tables.transparency import LeafRow
from arena.domain.errors import AlreadyAnnotated, Conflict, Invalid
from arena.domain.schemas.questions import QuestionView
from arena.domain.terms import BotVerdict, Voter
from arena.evaluations.cli.evaluation_tables import show_progress
from arena.evaluations.domain.errors import (
    AnnotatorNotFound,
    EvaluationClosed,
    EvaluationIncomplete,
    EvaluationNotFound,
    EvaluationNotOpen,
    UndoTooLate,
)
from arena.evaluations.domain.people.protocols import swap_sides
from arena.evaluations.domain.schemas.evaluations import AnnotationRequest
from arena.evaluations.store import annotations, assignments
from arena.evaluations.store.tables.annotations import AnnotationRow, AssignmentRow, EvaluationItemRow, WithdrawalRow
from arena.evaluations.usecases import generation, importer, lifecycle, views
from arena.evaluations.usecases.people import annotations as annotation_acts
from arena.evaluations.usecases.people import annotators
from arena.evaluations.usecases.reports import export
from arena.evaluations.usecases.reports.report import report
from tests.conftest import NAMES, START
from tests.evaluations.usecases.populated import QUESTIONS, add_evaluation, caller

MANY = tuple(QuestionView(id=f"q{number}", turns=[f"What is {number}?"]) for number in range(30))


def said(outcome="a", **more) -> AnnotationRequest:
    return AnnotationRequest(said={"outcome": outcome}, **more)


@pytest.fixture
def opened(database, scripted):
    """Open an evaluation whose models say their colour, and return links."""

    async def open_it(number=1, questions=QUESTIONS, **fields) -> list[str]:
        scripted.parts.update({name: scripted_part(name) for name in NAMES})
        await add_evaluation(database, questions=questions, **fields)
        await generation.generate(caller(database, scripted), "taste", at_once=8)
        await lifecycle.open_evaluation(database, "taste")
        return [link for _, link in await annotators.invite(database, "taste", number, START)]

    return open_it


def scripted_part(name: str):
    from tests.scripted import ScriptedAnswer

    return ScriptedAnswer(pieces=[name[:3]])


async def see(database, link, now=START, network="here"):
    return await annotation_acts.items(database, link, network, now)


async def work(database, link, choose=lambda _item: "a", most=1_000) -> int:
    """Judge items until there is none; returns how many."""
    for number in range(most):
        seen = await see(database, link)
        if not seen.items:
            return number
        item = seen.items[0]
        await annotation_acts.annotate(database, link, item.number, said(choose(item)), START)
    return most


@pytest.mark.both_databases
async def test_an_item_has_the_prompts_and_both_answers_and_no_name(database, opened):
    (link,) = await opened(overlap=1)
    seen = await see(database, link)
    assert (len(seen.items), seen.done, seen.left) == (2, 0, 3)
    by_prompt = {item.prompts[0]: item for item in seen.items}
    assert all(len(answers) == len(item.prompts) for item in seen.items for answers in item.answers)
    assert all(sorted(answers[0] for answers in item.answers) == ["blu", "red"] for item in seen.items)
    assert not any(name in seen.model_dump_json() for name in NAMES)
    assert by_prompt.keys() <= {question.turns[0] for question in QUESTIONS}


async def test_three_different_people_judge_each_item_and_a_fourth_has_nothing_to_do(database, opened):
    links = await opened(4)
    assert [await work(database, link) for link in links] == [3, 3, 3, 0]
    assert (await views.progress(database, "taste")).annotations == 9


@pytest.mark.sqlite
async def test_an_item_and_its_annotation_take_few_statements(database, opened):
    (link,) = await opened(1, MANY)
    await work(database, link, most=3)
    sent = list[str]()

    def note(_connection, _cursor, statement, *_rest) -> None:
        sent.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        await work(database, link, most=1)
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    assert len(sent) <= 18, sent


@pytest.mark.sqlite
async def test_sides_are_drawn_and_what_is_stored_is_about_the_models(database, opened):
    links = await opened(3, MANY)
    for link in links:
        await work(database, link, lambda item: "a" if item.answers[0][0] == "red" else "b")
    found = await report(database, "taste")
    assert found.board[0].name == "red-7b"
    assert (found.board[0].wins, found.board[0].losses) == (90, 0)
    swapped = await database.read(lambda s: list(s.scalars(select(AnnotationRow.swapped))))
    assert 20 < sum(swapped) < 75


@pytest.mark.sqlite
async def test_hidden_repeats_come_later_with_the_sides_swapped_and_are_no_new_votes(database, opened):
    (link,) = await opened(1, MANY, repeats=0.5, per_item=1)
    await work(database, link)
    rows = await database.read(lambda s: list(s.scalars(select(AssignmentRow).order_by(AssignmentRow.position))))
    first = {row.item_id: row for row in rows if not row.attempt}
    repeats = [row for row in rows if row.attempt]
    assert repeats
    assert all(row.position - first[row.item_id].position >= 20 for row in repeats)
    assert all(row.swapped is not first[row.item_id].swapped for row in repeats)
    found = await report(database, "taste")
    assert found.board[0].battles == 30
    assert found.annotators[0].consistency == 0.5


@pytest.mark.sqlite
async def test_an_item_is_asked_up_to_four_times_with_the_sides_in_turn_and_the_same_ones_first(database, opened):
    many = [QuestionView(id=f"m{number}", turns=["?"]) for number in range(90)]
    (link,) = await opened(1, many, repeats=0.5, attempts=4, per_item=1)
    chosen = iter(range(1_000))
    await work(database, link, lambda _item: ("a", "b", "tie")[next(chosen) % 3])
    rows = await database.read(lambda s: list(s.scalars(select(AssignmentRow).order_by(AssignmentRow.position))))
    by_item = {row.item_id: [each for each in rows if each.item_id == row.item_id] for row in rows if row.attempt}
    assert {row.attempt for row in rows} <= {0, 1, 2, 3}
    for mine in by_item.values():
        assert [row.attempt for row in mine] == list(range(len(mine)))
        assert all(a.swapped is not b.swapped and b.position - a.position >= 20 for a, b in pairwise(mine))
    again = sum(len(mine) - 1 for mine in by_item.values())
    assert max(row.attempt for row in rows) == 3
    assert len(by_item) < again
    found = await report(database, "taste")
    assert (found.board[0].battles, found.annotations) == (len(many), len(rows))
    assert found.annotators[0].repeats == again + len(by_item)


@pytest.mark.parametrize("attempts", [1, 5])
@pytest.mark.sqlite
async def test_there_are_two_to_four_attempts(database, attempts):
    with pytest.raises(Invalid, match="`attempts` must be between 2 and 4"):
        await add_evaluation(database, attempts=attempts)


@pytest.mark.sqlite
async def test_everybody_gets_the_overlap_and_first(database, opened):
    links = await opened(5, MANY, per_item=1, overlap=2)
    for link in links:
        await work(database, link, most=4)
    counts = await database.read(lambda s: Counter(s.scalars(select(AssignmentRow.item_id))))
    overlap = await database.read(
        lambda s: list(s.scalars(select(EvaluationItemRow.id).where(EvaluationItemRow.overlap)))
    )
    assert [counts[item] for item in overlap] == [5, 5]
    assert all(count == 1 for item, count in counts.items() if item not in overlap)


@pytest.mark.both_databases
async def test_a_link_in_ten_browsers_judges_each_item_once_and_the_operator_sees_it(database, opened):
    (link,) = await opened()

    async def browser(number: int) -> int:
        seen = await see(database, link, network=f"network {number}")
        results = await asyncio.gather(
            *(annotation_acts.annotate(database, link, item.number, said(), START) for item in seen.items),
            return_exceptions=True,
        )
        assert all(result is None or isinstance(result, AlreadyAnnotated) for result in results)
        return results.count(None)

    done = sum([sum(await asyncio.gather(*map(browser, range(10)))) for _ in range(3)])
    assert done == 3
    (state,) = await annotators.states(database, "taste")
    assert (state.label, state.done, state.networks) == ("1", 3, 10)


@pytest.mark.both_databases
async def test_the_last_answer_can_be_taken_back_within_three_seconds_and_both_rows_stay(database, opened):
    (link,) = await opened()
    first, second = (await see(database, link)).items
    await annotation_acts.annotate(database, link, first.number, said("both_bad"), START)
    await annotation_acts.undo(database, link, first.number, START + timedelta(seconds=3))
    assert [item.number for item in (await see(database, link)).items] == [first.number, second.number]
    await annotation_acts.annotate(database, link, first.number, said("tie"), START)
    with pytest.raises(UndoTooLate):
        await annotation_acts.undo(database, link, first.number, START + timedelta(seconds=8))
    await annotation_acts.annotate(database, link, second.number, said(), START)
    with pytest.raises(UndoTooLate):
        await annotation_acts.undo(database, link, first.number, START)
    rows = await database.read(lambda s: list(s.scalars(select(AnnotationRow.value).order_by(AnnotationRow.number))))
    assert rows[:2] == ["both_bad", "tie"]
    assert await database.read(lambda s: list(s.scalars(select(WithdrawalRow.reason)))) == ["undo"]
    assert await database.read(annotations.count, 1) == 2


async def test_what_is_not_on_the_scale_or_not_ones_own_is_refused(database, opened):
    links = await opened(2, protocol="stars")
    item = (await see(database, links[0])).items[0]
    with pytest.raises(Invalid, match="outcome: unknown here"):
        await annotation_acts.annotate(database, links[0], item.number, said(), START)
    with pytest.raises(AlreadyAnnotated):
        await annotation_acts.annotate(database, links[1], 1, said("skip"), START)
    await annotation_acts.annotate(database, links[0], item.number, said("skip"), START)
    with pytest.raises(AlreadyAnnotated):
        await annotation_acts.annotate(database, links[0], item.number, said("skip"), START)


async def test_a_revoked_link_works_no_longer_and_what_is_taken_back_goes_to_others(database, opened):
    links = await opened(4)
    for link in links[:3]:
        await work(database, link)
    await annotators.revoke(database, "taste", "1", START)
    with pytest.raises(AnnotatorNotFound):
        await see(database, links[0])
    assert (await see(database, links[3])).items == []
    assert await annotators.take_back(database, "taste", "2", "random answers", START) == 3
    assert await work(database, links[3]) == 3
    assert (await views.progress(database, "taste")).annotations == 9
    assert b'"withdrawn":"random answers"' in b"".join(await export.export(database, "taste"))
    with pytest.raises(AnnotatorNotFound, match="no annotator '9'"):
        await annotators.revoke(database, "taste", "9", START)


@pytest.mark.both_databases
async def test_a_reviewer_gets_what_three_people_disagree_about(database, opened):
    links = await opened(3)
    (_, reviewer), *_ = await annotators.invite(database, "taste", 1, START, annotators.InvitationTerms(reviewer=True))
    for number, link in enumerate(links):
        words = {"Write a poem.": ("a", "b", "tie")[number], "Name a sea.": ("a", "a", "skip")[number]}

        def choose(item, words=words) -> str:
            word = words.get(item.prompts[0], "tie")
            return word if item.answers[0][0] == "red" else swap_sides(word)

        assert (await see(database, reviewer)).items == []
        await work(database, link, choose)
    assert sorted(item.prompts[0] for item in (await see(database, reviewer)).items) == [
        "Name a sea.",
        "Write a poem.",
    ]
    assert await work(database, reviewer) == 2


@pytest.mark.both_databases
async def test_what_waits_for_a_reviewer_is_told_until_one_has_judged_it(database, opened, capsys):
    links = await opened(3)
    for link, outcome in zip(links, ("a", "b", "tie"), strict=True):
        word = swap_sides(outcome)
        await work(database, link, lambda item, words=(outcome, word): words[item.answers[0][0] == "blu"], most=1_000)
    view = await views.progress(database, "taste")
    assert (view.annotations, view.needed, view.waiting) == (9, 12, 3)
    show_progress(view)
    sentence = "3 items waiting for a reviewer: `arena evaluations invite taste --reviewer`."
    assert sentence in capsys.readouterr().out
    assert await lifecycle.describe_gap(database, "taste") == f"taste has 9 of 12 annotations. {sentence}"
    ((_, reviewer),) = await annotators.invite(database, "taste", 1, START, annotators.InvitationTerms(reviewer=True))
    await see(database, reviewer)
    assert (await views.list_all(database, views.Sizes()))[0].waiting == 3  # the reviewer has two, and judged none
    await work(database, reviewer, most=2)
    assert (await views.list_all(database, views.Sizes()))[0].waiting == 1
    view = await views.progress(database, "taste")
    assert (view.annotations, view.needed, view.waiting) == (11, 12, 1)
    show_progress(view)
    assert "1 item waiting for a reviewer" in capsys.readouterr().out
    assert await work(database, reviewer) == 1
    view = await views.progress(database, "taste")
    assert (view.annotations, view.needed, view.waiting) == (12, 12, 0)
    show_progress(view)
    assert "reviewer" not in capsys.readouterr().out


@pytest.mark.both_databases
async def test_hidden_repeats_bring_no_evaluation_nearer_to_its_end(database, opened):
    (link,) = await opened(1, MANY, repeats=0.5, per_item=1)
    await work(database, link, most=32)
    rows = await database.read(lambda s: list(s.scalars(select(AnnotationRow))))
    firsts = sum(not row.attempt for row in rows)
    assert firsts < 30 < len(rows)
    view = await views.progress(database, "taste")
    assert (view.annotations, view.done, view.needed) == (len(rows), firsts, 30)
    assert view.person_days == pytest.approx((30 - firsts) / 300)
    assert (await views.list_all(database, views.Sizes()))[0].done == firsts
    assert await lifecycle.describe_gap(database, "taste") == f"taste has {firsts} of 30 annotations."
    with pytest.raises(EvaluationIncomplete):
        await lifecycle.close_evaluation(database, "taste", START, incomplete=False)
    await work(database, link)
    view = await views.progress(database, "taste")
    assert (view.done, view.needed, view.person_days) == (30, 30, 0)
    assert view.annotations > 30
    assert await lifecycle.describe_gap(database, "taste") == ""


@pytest.mark.both_databases
async def test_what_an_item_has_beyond_its_people_brings_no_other_nearer_to_its_end(database, opened):
    first, *others = await opened(5, MANY, per_item=1, overlap=2)
    for link in (first, *others):
        await work(database, link, most=2)
    view = await views.progress(database, "taste")
    assert view.annotations == 10
    items = await database.read(lambda s: set(s.scalars(select(AnnotationRow.item_id))))
    assert (view.done, view.needed) == (len(items), 30)


@pytest.mark.parametrize(("questions", "share", "known"), [(19, 0.3, True), (19, 0.02, False), (20, 0.3, False)])
@pytest.mark.sqlite
async def test_repeats_that_too_few_items_rule_out_are_told(database, opened, capsys, questions, share, known):
    (link,) = await opened(1, MANY[:questions], repeats=share, per_item=1)
    show_progress(await views.progress(database, "taste"))
    sentence = "No item comes again: a hidden repeat comes 20 items later at the earliest."
    assert (sentence in capsys.readouterr().out) is known
    await work(database, link)
    assert (await views.progress(database, "taste")).annotations == questions or not known


@pytest.fixture
def told(database, tmp_path):
    """Import outcomes of the first question by person, as for the first model."""

    async def tell(question=QUESTIONS[0].id, **outcomes: str) -> None:
        facts = {"question": question, "a": NAMES[0], "b": NAMES[1]}
        rows = [{**facts, "annotator": person, "outcome": outcome} for person, outcome in outcomes.items()]
        file = tmp_path / "outcomes.jsonl"
        file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
        assert (await importer.import_file(database, "taste", file, START)).annotations == len(rows)

    return tell


@pytest.mark.both_databases
async def test_an_item_that_a_file_has_judged_is_given_to_so_many_people_less(database, opened, told):
    links = await opened(3)
    await told(anna="a", ben="a")
    await told("poem", anna="a", ben="b", cleo="a")
    view = await views.progress(database, "taste")
    assert (view.done, view.needed, view.waiting) == (5, 9, 0)
    assert [await work(database, link) for link in links] == [2, 1, 1]
    counts = await database.read(lambda s: Counter(s.scalars(select(AnnotationRow.item_id))))
    assert set(counts.values()) == {3}
    view = await views.progress(database, "taste")
    assert (view.annotations, view.done, view.needed) == (9, 9, 9)


@pytest.mark.both_databases
async def test_a_file_that_comes_when_people_have_the_item_adds_no_more_than_the_item_needs(database, opened, told):
    links = await opened(3)
    shown = [len((await see(database, link)).items) for link in links]
    assert shown == [2, 2, 2]
    for question in QUESTIONS:
        await told(question.id, anna="a", ben="a", cleo="a")
    assert [await work(database, link) for link in links] == shown
    view = await views.progress(database, "taste")
    assert (view.annotations, view.done, view.needed, view.person_days) == (15, 9, 9, 0)


@pytest.mark.parametrize("is_open", [True, False])
@pytest.mark.both_databases
async def test_what_people_of_a_file_disagree_about_waits_for_a_reviewer(database, opened, told, scripted, is_open):
    if is_open:
        links = await opened(3)
    else:
        scripted.parts.update({name: scripted_part(name) for name in NAMES})
        await add_evaluation(database)
        await generation.generate(caller(database, scripted), "taste")
        links = [link for _, link in await annotators.invite(database, "taste", 3, START)]
    await told(anna="a", ben="b")
    await told(cleo="tie")
    if not is_open:
        draft = await views.progress(database, "taste")
        assert (draft.annotations, draft.done, draft.needed, draft.person_days) == (3, 3, 9, 6 / 300)
        await lifecycle.open_evaluation(database, "taste")
    view = await views.progress(database, "taste")
    assert (view.done, view.needed, view.waiting) == (3, 10, 1)
    assert [await work(database, link) for link in links] == [2, 2, 2]
    ((_, reviewer),) = await annotators.invite(database, "taste", 1, START, annotators.InvitationTerms(reviewer=True))
    assert await work(database, reviewer) == 1
    view = await views.progress(database, "taste")
    assert (view.annotations, view.done, view.needed, view.waiting) == (10, 10, 10, 0)


async def test_an_outcome_of_a_pair_that_nobody_is_asked_about_brings_no_other_nearer(database, opened, tmp_path):
    await opened(1)
    file = tmp_path / "outcomes.jsonl"
    row = {"question": "poem", "a": "gull", "b": NAMES[0]}
    outcomes = zip("xyz", ("a", "b", "tie"), strict=True)
    file.write_text(
        "".join(f"{json.dumps({**row, 'annotator': person, 'outcome': outcome})}\n" for person, outcome in outcomes)
    )
    await importer.import_file(database, "taste", file, START, new_models=True)
    view = await views.progress(database, "taste")
    assert (view.annotations, view.done, view.needed, view.waiting) == (3, 0, 9, 0)


@pytest.mark.both_databases
async def test_what_is_taken_back_of_a_file_goes_to_others(database, opened, told):
    links = await opened(3)
    await told(anna="a", ben="a", cleo="a")
    assert await annotators.take_back(database, "taste", "anna", "random answers", START) == 1
    view = await views.progress(database, "taste")
    assert (view.annotations, view.done, view.needed) == (2, 2, 9)
    assert [await work(database, link) for link in links] == [3, 2, 2]
    assert (await views.progress(database, "taste")).done == 9


@pytest.mark.sqlite
async def test_what_was_taken_back_before_the_opening_is_judged_after_it(database, scripted, told):
    scripted.parts.update({name: scripted_part(name) for name in NAMES})
    await add_evaluation(database, per_item=1)
    await generation.generate(caller(database, scripted), "taste")
    await told(anna="a")
    await annotators.take_back(database, "taste", "anna", "random answers", START)
    await lifecycle.open_evaluation(database, "taste")
    ((_, link),) = await annotators.invite(database, "taste", 1, START)
    assert await work(database, link) == 3


@pytest.mark.both_databases
async def test_a_place_of_a_reviewer_is_not_for_somebody_who_comes_back(database, opened):
    lazy, *links = await opened(4)
    assert len((await see(database, lazy)).items) == 2
    later = START + timedelta(hours=2)
    for link, outcome in zip(links, ("a", "b", "tie"), strict=True):
        while seen := (await see(database, link, later)).items:
            word = outcome if seen[0].answers[0][0] == "red" else swap_sides(outcome)
            await annotation_acts.annotate(database, link, seen[0].number, said(word), later)
    assert (await views.progress(database, "taste")).waiting == 3
    assert (await see(database, lazy, later)).items == []
    ((_, reviewer),) = await annotators.invite(database, "taste", 1, START, annotators.InvitationTerms(reviewer=True))
    assert await work(database, reviewer) == 3


@pytest.mark.parametrize("before", ["draft", "unseen", "shown", "expired"])
@pytest.mark.both_databases
async def test_an_item_that_a_file_has_judged_for_an_invited_person_is_not_theirs_again(
    database, opened, scripted, told, before
):
    if before == "draft":
        scripted.parts.update({name: scripted_part(name) for name in NAMES})
        await add_evaluation(database)
        await generation.generate(caller(database, scripted), "taste")
        links = [link for _, link in await annotators.invite(database, "taste", 3, START)]
    else:
        links = await opened(3)
    if before in {"shown", "expired"}:
        shown = (await see(database, links[0])).items
        judged = [item for item in shown if item.prompts == QUESTIONS[0].turns]
    if before == "expired":
        await database.write(lambda s: assignments.expire(s, 1, START + timedelta(hours=2)))
    for question in QUESTIONS[:2]:
        await told(question.id, **{"1": "a"})
    if before == "draft":
        await lifecycle.open_evaluation(database, "taste")
    if before == "shown":
        for item in judged:
            with pytest.raises(AlreadyAnnotated):
                await annotation_acts.annotate(database, links[0], item.number, said(), START)
    assert (await see(database, links[0])).done == 2
    assert [await work(database, link) for link in links] == [1, 3, 3]
    view = await views.progress(database, "taste")
    assert (view.annotations, view.done, view.needed, view.person_days) == (9, 9, 9, 0)
    assert await annotators.take_back(database, "taste", "1", "random answers", START) == 3
    assert (await views.progress(database, "taste")).done == 6
    ((_, link),) = await annotators.invite(database, "taste", 1, START)
    assert await work(database, link) == 3


@pytest.mark.both_databases
async def test_a_repeat_that_a_file_has_for_an_invited_person_is_no_further_one(database, opened, tmp_path):
    (link,) = await opened(1, MANY, repeats=0.5, per_item=1)
    query = select(AssignmentRow.position).where(AssignmentRow.attempt == 1)
    while not (places := await database.read(lambda s: s.scalars(query).all())):
        await work(database, link, most=1)
    facts = {"a": NAMES[0], "b": NAMES[1], "annotator": "1", "outcome": "a", "attempt": 1}
    file = tmp_path / "outcomes.jsonl"
    file.write_text("".join(f"{json.dumps({**facts, 'question': question.id})}\n" for question in MANY))
    assert (await importer.import_file(database, "taste", file, START)).annotations == 30
    with pytest.raises(AlreadyAnnotated):
        await annotation_acts.annotate(database, link, places[0], said(), START)
    await work(database, link)
    assert (await see(database, link)).items == []


@pytest.mark.both_databases
async def test_a_dispute_that_ends_as_one_is_taken_back_goes_to_the_next_person(database, opened):
    links = await opened(3, QUESTIONS[:1])
    for link, outcome in zip(links, ("a", "b", "tie"), strict=True):
        await work(database, link, lambda item, word=outcome: word if item.answers[0][0] == "red" else swap_sides(word))
    assert (await views.progress(database, "taste")).waiting == 1
    await annotators.take_back(database, "taste", "3", "random answers", START)
    view = await views.progress(database, "taste")
    assert (view.done, view.needed, view.waiting) == (2, 3, 0)
    ((_, reviewer),) = await annotators.invite(database, "taste", 1, START, annotators.InvitationTerms(reviewer=True))
    ((_, link),) = await annotators.invite(database, "taste", 1, START)
    assert (await see(database, reviewer)).items == []
    assert await work(database, link, lambda item: "a" if item.answers[0][0] == "red" else "b") == 1
    view = await views.progress(database, "taste")
    assert (view.done, view.needed, view.waiting) == (3, 3, 0)


@pytest.mark.sqlite
async def test_a_repeat_that_is_undone_leaves_its_item_with_the_reviewers(database, opened):
    link, *others = await opened(3, MANY, repeats=0.5)
    for other, outcome in zip(others, ("tie", "both_bad"), strict=True):
        await work(database, other, lambda _item, outcome=outcome: outcome)
    attempt, number = 0, 0
    while not attempt:
        number = (await see(database, link)).items[0].number
        await annotation_acts.annotate(database, link, number, said(), START)
        query = select(AssignmentRow.attempt, EvaluationItemRow.id).join_from(AssignmentRow, EvaluationItemRow)
        rows = query.where(AssignmentRow.annotator_id == 1, AssignmentRow.position == number)
        attempt, item_id = await database.read(lambda session, rows=rows: session.execute(rows).one())
    await annotation_acts.undo(database, link, number, START)
    item = await database.read(lambda session: session.get_one(EvaluationItemRow, item_id))
    assert (item.disputed, item.needed) == (True, 4)


async def test_who_knows_some_areas_is_asked_in_these_alone(database, opened):
    await opened(1)
    ((_, link),) = await annotators.invite(
        database, "taste", 1, START, annotators.InvitationTerms(areas=("Geography",))
    )
    assert [item.prompts[0] for item in (await see(database, link)).items] == ["Name a sea."]
    assert (await see(database, link)).left == 1
    assert await work(database, link) == 1
    assert [who.areas for who in await annotators.states(database, "taste")] == [[], ["Geography"]]


async def test_nobody_is_invited_for_an_area_without_questions(database, opened):
    await opened(1)
    with pytest.raises(
        Invalid, match="No question of taste is of the area 'Law'; there are: Mathematics, Writing, Geo"
    ):
        await annotators.invite(database, "taste", 1, START, annotators.InvitationTerms(areas=("Law",)))


@pytest.mark.sqlite
async def test_what_somebody_left_lying_goes_to_others_and_comes_back_to_them_if_it_is_still_free(database, opened):
    lazy, eager = await opened(2, per_item=1)
    assert len((await see(database, lazy)).items) == 2
    assert await work(database, eager) == 1
    later = START + timedelta(hours=2)
    assert len((await see(database, eager, later)).items) == 2
    assert [item.number for item in (await see(database, lazy, later)).items] == []
    for item in (await see(database, eager, later)).items:
        await annotation_acts.annotate(database, eager, item.number, said(), later)
    with pytest.raises(AlreadyAnnotated):
        await annotation_acts.annotate(database, lazy, 1, said(), later)


@pytest.mark.both_databases
async def test_the_public_may_join_where_it_is_invited_each_person_once(database, opened):
    await opened(public=True)
    one = Voter("one", "192.0.2.1")
    old = await annotators.join(database, "taste", one, START)
    new = await annotators.join(database, "taste", one, START)
    with pytest.raises(AnnotatorNotFound):
        await see(database, old)
    assert await work(database, new) == 3
    assert [each.name for each in await views.list_public(database, views.Sizes())] == ["taste"]
    assert (await views.record(database, "taste")).models == []


async def test_a_list_counts_open_evaluations_anew_and_closed_ones_once(database, opened, monkeypatch):
    counted, counts = [], annotations.counts

    def count(session, numbers):
        counted.append(list(numbers))
        return counts(session, numbers)

    monkeypatch.setattr(annotations, "counts", count)
    await opened(public=True)
    link, sizes = await annotators.join(database, "taste", Voter("one", "192.0.2.1"), START), views.Sizes()
    (before,) = await views.list_public(database, sizes)
    await work(database, link)
    (after,) = await views.list_public(database, sizes)
    assert (before.annotations, after.annotations, counted) == (0, 3, [[1], [1]])
    await lifecycle.close_evaluation(database, "taste", START)
    await lifecycle.publish_report(database, "taste", report)
    counted.clear()
    closed = [await views.list_public(database, sizes) for _ in range(3)]
    assert closed[0] == closed[2] == await views.list_public(database, views.Sizes())
    assert (closed[0][0].annotations, counted) == (3, [[1], [], [], [1]])


async def test_a_join_reads_no_other_annotator_however_many_there_are(database, opened):
    await opened(public=True)

    async def statements(key: str) -> list[str]:
        asked = []

        def note(_connection, _cursor, statement, *_) -> None:
            asked.append(" ".join(statement.split()))

        event.listen(Engine, "before_cursor_execute", note)
        try:
            await annotators.join(database, "taste", Voter(key, "192.0.2.1"), START)
        finally:
            event.remove(Engine, "before_cursor_execute", note)
        return [each for each in asked if each.startswith(("SELECT", "UPDATE", "INSERT"))]

    few = await statements("first")
    for number in range(20):
        await annotators.join(database, "taste", Voter(f"voter {number}", "192.0.2.1"), START)
    assert await statements("last") == few
    reads = [each for each in few if "FROM annotators" in each]
    assert len(reads) == 1
    assert "annotators.voter_key =" in reads[0]


@pytest.mark.both_databases
async def test_people_who_join_at_once_get_numbers_of_their_own(database, opened):
    await opened(public=True)
    everybody = [Voter(f"voter {number % 8}", "192.0.2.1") for number in range(16)]
    links = await asyncio.gather(*(annotators.join(database, "taste", each, START) for each in everybody))
    assert len(set(links)) == 16
    labels = [each.label for each in await annotators.states(database, "taste")]
    assert sorted(labels, key=int) == [str(number) for number in range(1, 10)]


async def test_who_joins_gets_no_number_that_a_file_has_given(database, opened, tmp_path):
    await opened(public=True)
    row = {"question": QUESTIONS[0].id, "a": NAMES[0], "b": NAMES[1], "outcome": "a"}
    file = tmp_path / "annotations.jsonl"
    file.write_text("".join(json.dumps({**row, "annotator": label}) + "\n" for label in ("anna", "3", "02", "9" * 30)))
    assert (await importer.import_file(database, "taste", file, START)).annotations == 4
    await annotators.join(database, "taste", Voter("one", "192.0.2.1"), START)
    labels = [each.label for each in await annotators.states(database, "taste")]
    assert labels == ["1", "anna", "3", "02", "9" * 30, "4"]


async def test_the_public_are_different_people_only_where_their_networks_differ(database, opened):
    await opened(public=True)
    links = [await annotators.join(database, "taste", Voter(key, "192.0.2.1"), START) for key in "xyz"]
    assert len((await see(database, links[0], network="home")).items) == 2
    assert len((await see(database, links[1], network="home")).items) == 1
    assert len((await see(database, links[2], network="work")).items) == 2
    await see(database, links[2], network="home")
    ((_, invited),) = await annotators.invite(database, "taste", 1, START)
    assert len((await see(database, invited, network="home")).items) == 2


@pytest.mark.sqlite
async def test_one_of_the_public_gets_no_more_in_a_day_than_the_cap(database, opened, monkeypatch):
    monkeypatch.setattr("arena.evaluations.usecases.people.annotations.PUBLIC_DAILY", 5)
    await opened(questions=MANY, public=True)
    link = await annotators.join(database, "taste", Voter("x", "192.0.2.1"), START)
    assert await work(database, link) == 5
    assert len((await see(database, link, START + timedelta(days=1, seconds=1))).items) == 2


@pytest.mark.sqlite
async def test_whoever_failed_the_bot_check_of_today_is_none_of_the_public(database, opened):
    await opened(public=True)
    failed = Voter("bot", "192.0.2.1")
    await database.write(voters.record_check, "challenge", failed.key, BotVerdict.FAIL, START, START.date())
    with pytest.raises(AnnotatorNotFound):
        await annotators.join(database, "taste", failed, START)


@pytest.mark.both_databases
async def test_an_evaluation_opens_once_it_has_its_answers_and_closes_into_the_log(database, scripted):
    await add_evaluation(database, others=["gull"])
    await generation.generate(caller(database, scripted), "taste")
    with pytest.raises(Invalid, match=r"Answers are missing: gull 3; .*`arena evaluations open taste --partial`"):
        await lifecycle.open_evaluation(database, "taste")
    ((_, link),) = await annotators.invite(database, "taste", 1, START)
    with pytest.raises(EvaluationNotOpen):
        await see(database, link)
    assert await lifecycle.open_evaluation(database, "taste", partial=True) == 3
    with pytest.raises(Conflict, match="taste is open already"):
        await lifecycle.open_evaluation(database, "taste")
    await work(database, link)
    with pytest.raises(EvaluationNotFound):
        await annotators.join(database, "taste", Voter("one", "192.0.2.1"), START)
    digest = await lifecycle.close_evaluation(database, "taste", START)
    await lifecycle.publish_report(database, "taste", report)
    leaf = await database.read(lambda s: s.scalars(select(LeafRow.data).where(LeafRow.kind == "evaluation")).one())
    assert digest.encode() in leaf
    assert b'"annotations":3' in leaf
    with pytest.raises(EvaluationClosed):
        await see(database, link)
    with pytest.raises(EvaluationClosed):
        await annotation_acts.annotate(database, link, 1, said(), START)
    with pytest.raises(EvaluationClosed):
        await annotators.invite(database, "taste", 1, START)
    with pytest.raises(Conflict, match="closed already"):
        await lifecycle.close_evaluation(database, "taste", START)
    found = await views.record(database, "taste")
    assert (found.digest, found.report.annotations, found.models[0]) == (digest, 3, "red-7b")


@pytest.mark.sqlite
async def test_a_design_without_anything_to_judge_does_not_open(database):
    await add_evaluation(database, models=(), others=["gull", "tern"])
    with pytest.raises(Invalid, match="nothing to judge"):
        await lifecycle.open_evaluation(database, "taste", partial=True)
