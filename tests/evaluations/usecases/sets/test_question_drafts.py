"""Questions that people write: three people for three stages, within their areas, and a set has what is accepted."""

from __future__ import annotations

import json

import pytest

from arena.domain.errors import Conflict, Invalid, NotFound, QuestionSetNotFound
from arena.domain.schemas.questions import QuestionView
from arena.evaluations.domain.errors import AlreadyReviewed
from arena.evaluations.domain.questions.reviews import Review
from arena.evaluations.domain.terms import ReviewDecision
from arena.evaluations.usecases.sets import question_drafts, sets
from tests.cli.commands import run
from tests.conftest import START
from tests.evaluations.usecases.populated import keep_set

pytestmark = pytest.mark.sqlite

LAW = QuestionView(id="law", turns=["What is a contract?"], area="Law", reference="An agreement.")
SEA = QuestionView(id="sea", turns=["Name a sea."], area="Geography")


def confirms(name: str) -> Review[QuestionView]:
    return Review(name, ReviewDecision.CONFIRMED)


async def written(database, *questions: QuestionView) -> list[int]:
    """Drafts by Ada for the set `exam`; returns their numbers."""
    await question_drafts.write(database, "exam", "Ada", questions or (LAW, SEA), START)
    return [one.id for one in await question_drafts.drafts_of(database, "exam")]


async def built(database):
    return await question_drafts.build(database, "exam", START, licence="CC0", language="en")


async def test_a_draft_is_checked_and_accepted_by_two_further_people_before_a_set_has_it(database):
    law, sea = await written(database)
    assert await question_drafts.review(database, law, confirms("Ben"), START) == "checked"
    with pytest.raises(Invalid, match="No draft for exam is accepted"):
        await built(database)
    assert await question_drafts.review(database, law, confirms("Cyd"), START) == "accepted"
    await question_drafts.review(database, sea, confirms("Ben"), START)
    assert (await built(database)).version == 1
    assert (await sets.question(database, "exam", None, "law")) == LAW
    record = await sets.record(database, "exam", public=False)
    assert (record.questions, record.public, record.source) == (
        1,
        False,
        f"written by people; {question_drafts.ACCEPTED}",
    )


@pytest.mark.parametrize("person", ["Ada", " ADA", "ben"])
async def test_author_checker_and_accepter_are_three_people(database, person):
    (law,) = await written(database, LAW)
    await question_drafts.review(database, law, confirms("Ben"), START)
    with pytest.raises(AlreadyReviewed, match="somebody else's"):
        await question_drafts.review(database, law, confirms(person), START)


async def test_who_amends_is_the_author_from_then_on_and_the_stages_begin_anew(database):
    (law,) = await written(database, LAW)
    await question_drafts.review(database, law, confirms("Ben"), START)
    better = LAW.model_copy(update={"turns": ["What makes a contract?"]})
    amended = Review("Cyd", ReviewDecision.AMENDED, better)
    assert await question_drafts.review(database, law, amended, START) == "draft"
    (draft,) = await question_drafts.drafts_of(database, "exam")
    assert (draft.author, draft.question, draft.reviewed.confirmed_by) == ("ada", better, ("cyd",))
    with pytest.raises(Invalid, match="keeps its id, law"):
        await question_drafts.review(database, law, Review("Dan", ReviewDecision.AMENDED, SEA), START)


async def test_a_rejection_has_a_reason_and_is_for_good(database):
    (law,) = await written(database, LAW)
    with pytest.raises(Invalid, match="reason"):
        await question_drafts.review(database, law, Review("Ben", ReviewDecision.REJECTED, remark=" "), START)
    rejected = Review("Ben", ReviewDecision.REJECTED, LAW, remark="Nobody can tell.")
    assert await question_drafts.review(database, law, rejected, START) == "rejected"
    with pytest.raises(AlreadyReviewed, match="nothing changes that"):
        await question_drafts.review(database, law, confirms("Cyd"), START)
    assert await question_drafts.next_draft(database, "exam", "Cyd") is None


async def test_a_reviewer_is_asked_only_in_their_areas_and_without_any_in_all(database):
    law, sea = await written(database)
    await question_drafts.put_areas(database, "Ben", ["Geography"])
    offered = [await question_drafts.next_draft(database, "exam", name) for name in ("Ben", "Cyd", "Ada")]
    assert [draft and draft.id for draft in offered] == [sea, law, None]
    with pytest.raises(Invalid, match="ben is asked in Geography only; this question is of Law"):
        await question_drafts.review(database, law, confirms("Ben"), START)
    await question_drafts.put_areas(database, "Ben", [])
    assert await question_drafts.review(database, law, confirms("Ben"), START) == "checked"


async def test_what_cannot_be_a_draft_or_a_set_has_one_clear_error_and_nothing_is_kept(database):
    await written(database, LAW)
    with pytest.raises(Conflict, match="has a draft law already"):
        await question_drafts.write(database, "exam", "Ben", (SEA, LAW), START)
    assert len(await question_drafts.drafts_of(database, "exam")) == 1
    with pytest.raises(NotFound, match="no such draft"):
        await question_drafts.review(database, 99, confirms("Ben"), START)
    with pytest.raises(QuestionSetNotFound):
        await sets.record(database, "exam", public=False)
    await keep_set(database)
    await question_drafts.write(database, "ours", "Ada", (SEA,), START)
    with pytest.raises(Conflict, match="ours was not made of drafts"):
        await question_drafts.build(database, "ours", START, licence="CC0", language="en")


def test_commands_write_review_and_build(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path)}
    file = tmp_path / "written.jsonl"
    head = {"format": "arena-questions/1", "name": "exam", "licence": "CC0", "source": "us", "language": "en"}
    file.write_text("".join(f"{json.dumps(row)}\n" for row in (head, LAW.model_dump(exclude_defaults=True))))

    def drafts(*arguments: str) -> str:
        done = run("questions", "drafts", *arguments, **settings)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "1 draft by Ada" in drafts("write", "exam", str(file), "--author", "Ada")
    assert "Ben is asked in Law" in drafts("areas", "Ben", "--area", "Law")
    assert json.loads(drafts("next", "exam", "--reviewer", "Ben"))["question"]["id"] == "law"
    assert "Draft 1 is checked." in drafts("review", "1", "--reviewer", "Ben", "--confirm")
    assert "There is no draft for Ben." in drafts("next", "exam", "--reviewer", "Ben")
    assert "Draft 1 is accepted." in drafts("review", "1", "--reviewer", "Cyd", "--confirm")
    assert "['ada', 'ben', 'cyd']" in drafts("list", "exam") or "ada, ben, cyd" in drafts("list", "exam")
    assert "exam version 1" in drafts("build", "exam", "--licence", "CC0", "--language", "en")
