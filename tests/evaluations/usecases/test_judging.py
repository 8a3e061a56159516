"""Judging by models: both orders, once each, by whoever may, and never of their own family."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import pytest
from sqlalchemy import delete

from arena.adapters.store import budgets, endpoints, owners, snapshots
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.adapters.store.tables.snapshots import PairTableRow, PartRow, SnapshotRow
from arena.domain.errors import Invalid
from arena.domain.terms import UNNAMED_OWNER, EndpointState, Use
from arena.evaluations.cli.model_runs import print_notes, show_runs
from arena.evaluations.domain.errors import EvaluationNotFound
from arena.evaluations.domain.terms import Relation
from arena.evaluations.store import judgements
from arena.evaluations.usecases import generation
from arena.evaluations.usecases.judges import judging
from arena.evaluations.usecases.judges.judges_report import judges_report
from arena.evaluations.usecases.judges.judging_plan import JudgingRequest
from arena.usecases.exchange import importer
from arena.usecases.ranking.vote_columns import CountedLog
from arena_providers.base import Chunk
from arena_providers.errors import RequestRefused
from arena_providers.terms import Finish
from tests.conftest import NAMES, START, add_endpoints
from tests.evaluations.usecases.populated import QUESTIONS, add_evaluation, caller
from tests.publication import publish_once
from tests.scripted import ScriptedAnswer
from tests.usecases.ranking.test_slice_boards import METHOD, made

STARRED = "accuracy: 3\ninformativeness: 2\nfluency: 3\nlogic: 1\nharmlessness: 3"
UNREADABLE = (
    "Judgements are never replaced, so that nobody can ask until the verdict suits: referee keeps these, and the "
    "report counts them as unreadable. Mend it, add it by another name (`arena endpoints add`), and judge by that."
)
GRADES = JudgingRequest(("referee",), "grades")


@dataclass
class Referee:
    """A judge that answers as `verdict` says of the whole prompt; others play their parts."""

    players: object
    verdict: object
    finish: Finish = Finish.STOP
    asked: list[tuple] = field(default_factory=list)

    async def stream(self, target, messages):
        if target.wire_model != "referee":
            async for chunk in self.players.stream(target, messages):  # pyright: ignore[reportAttributeAccessIssue]
                yield chunk
            return
        self.asked.append((target, messages))
        yield Chunk(text=self.verdict(messages[-1].content))  # pyright: ignore[reportCallIssue]
        yield Chunk(finish=self.finish)


def add_judge(session, name, *, owner="Referees", uses=True, **fields) -> None:
    row = EndpointRow(
        name=name,
        owner=owners.find_or_add(session, owner, START),
        dialect="scripted",
        created_at=START,
        **{"state": EndpointState.ACTIVE, "url": "https://referee.test/v1", "wire_model": "referee", **fields},
    )
    session.add(row)
    session.flush()
    if uses:
        budgets.allow(session, row.id, Use.JUDGING, None)


async def prepared(database, scripted, part, **referee) -> None:
    await database.write(add_endpoints)
    await database.write(lambda session: add_judge(session, "referee", **referee))
    part(NAMES[0], "A long and careful answer.")
    part(NAMES[1], "Short.")
    await add_evaluation(database)
    await generation.generate(caller(database, scripted), "taste")


async def rows(database):
    return [row for row, _ in await database.read(judgements.all_rows, 1)]


async def test_each_pair_and_turn_is_judged_once_in_both_orders_under_the_rubric(database, scripted, part):
    await prepared(database, scripted, part)
    referee = Referee(scripted, lambda text: "[[A>>B]]" if text.index("careful") < text.index("Short") else "[[B>>A]]")
    steps = []
    (run,) = await judging.judge(caller(database, referee), "taste", GRADES, begin=steps.append)
    # Three questions, one of them of two turns.
    assert (steps, run.done, run.left) == ([8], 8, 0)
    found = await rows(database)
    assert Counter((row.question_id, row.turn, row.swapped) for row in found).total() == 8
    assert {(row.outcome, row.strong, row.rubric, row.language) for row in found} == {("a", True, "grades", "en")}
    target, messages = referee.asked[0]
    assert "[[A>>B]]" in target.system_prompt
    assert (target.temperature, len(messages)) == (0.0, 1)
    (run,) = await judging.judge(caller(database, referee), "taste", GRADES, begin=steps.append)
    assert (steps, run.done, len(referee.asked)) == ([8, 0], 8, 8)


@pytest.mark.sqlite
async def test_a_judge_that_always_says_a_prefers_each_side_once(database, scripted, part):
    await prepared(database, scripted, part)
    await judging.judge(caller(database, Referee(scripted, lambda _: "[[A]]")), "taste", GRADES)
    assert {(row.swapped, row.outcome) for row in await rows(database)} == {(False, "a"), (True, "b")}


@pytest.mark.sqlite
@pytest.mark.parametrize(("says", "finish"), [("No idea.", Finish.STOP), ("[[A]]", Finish.LENGTH)])
async def test_a_text_without_verdict_or_end_is_kept_without_outcome(database, scripted, part, says, finish):
    await prepared(database, scripted, part)
    await judging.judge(caller(database, Referee(scripted, lambda _: says, finish)), "taste", GRADES)
    assert {(row.text, row.outcome) for row in await rows(database)} == {(says, None)}


@pytest.mark.sqlite
async def test_a_run_tells_how_many_have_no_readable_verdict_and_keeps_them(database, scripted, part, capsys):
    await prepared(database, scripted, part)
    referee = Referee(scripted, lambda text: "8" if "Name a sea" in text else "[[A]]")
    (run,) = await judging.judge(caller(database, referee), "taste", GRADES)
    assert (run.done, run.unreadable, run.failed, run.left) == (8, 2, 0, 0)
    referee.verdict = lambda _: "[[A]]"
    (again,) = runs = await judging.judge(caller(database, referee), "taste", GRADES)
    assert (again.done, again.unreadable, len(referee.asked)) == (8, 2, 8)
    show_runs(runs, json=False)
    print_notes(runs)
    assert capsys.readouterr().out.splitlines() == [
        "referee: 8 done, 2 of them without a readable verdict, 0 failed, 0 left.",
        UNREADABLE,
    ]


@pytest.mark.sqlite
async def test_what_failed_leaves_nothing_and_is_asked_again(database, scripted, part):
    await prepared(database, scripted, part)
    scripted.parts["referee"] = ScriptedAnswer(error=RequestRefused("no"))
    (run,) = await judging.judge(caller(database, scripted), "taste", GRADES)
    assert (run.failed, run.left, await rows(database)) == (8, 8, [])
    (run,) = await judging.judge(caller(database, Referee(scripted, lambda _: "[[A=B]]")), "taste", GRADES)
    assert (run.done, run.left) == (8, 0)


@pytest.mark.sqlite
async def test_a_spent_cap_stops_a_judge(database, scripted, part):
    await prepared(database, scripted, part)
    await database.write(lambda s: budgets.allow(s, endpoints.by_name(s, "referee").id, Use.JUDGING, 3))  # pyright: ignore[reportOptionalMemberAccess]
    (run,) = await judging.judge(caller(database, Referee(scripted, lambda _: "[[A]]")), "taste", GRADES, at_once=1)
    assert (run.done, run.stopped) == (3, "its calls for judging are spent for today (UTC)")


@pytest.mark.sqlite
async def test_a_judge_whose_calls_are_spent_is_refused_at_once(database, scripted, part):
    await prepared(database, scripted, part)
    await database.write(lambda s: budgets.allow(s, endpoints.by_name(s, "referee").id, Use.JUDGING, 0))  # pyright: ignore[reportOptionalMemberAccess]
    with pytest.raises(Invalid, match="referee has no calls left for judging today"):
        await judging.judge(caller(database, scripted), "taste", GRADES)


@pytest.mark.sqlite
async def test_a_budget_in_dollars_stops_a_judge_and_costs_are_kept(database, scripted, part):
    await prepared(database, scripted, part, price_in=1.0, price_out=4.0)
    referee, new = Referee(scripted, lambda _: "[[A]]"), JudgingRequest(("referee",), "grades", budget=0.001)
    (run,) = await judging.judge(caller(database, referee), "taste", new, at_once=1)
    assert (0 < run.done < 8, run.stopped) == (True, "its budget of 0.001 US dollars is spent")
    costs = [row.cost or 0 for row in await rows(database)]
    assert sum(costs[:-1]) < 0.001 <= sum(costs)


@pytest.mark.sqlite
@pytest.mark.parametrize(("rubric", "says", "kept"), [("score", "Fine.\n[[7]]", "7"), ("stars", STARRED, "3,2,3,1,3")])
async def test_single_answers_get_scores_turn_by_turn(database, scripted, part, rubric, says, kept):
    await prepared(database, scripted, part)
    referee = Referee(scripted, lambda _: says)
    (run,) = await judging.judge(caller(database, referee), "taste", JudgingRequest(("referee",), rubric))
    # Two models, three questions, one of them of two turns.
    assert (run.done, {row.scores for row in await rows(database)}) == (8, {kept})
    shown = [messages[-1].content for _, messages in referee.asked]
    assert not any("Short" in text and "careful" in text for text in shown)


@pytest.mark.sqlite
@pytest.mark.parametrize(("kind", "calls", "kept"), [("objective", 6, "3,1"), ("subjective", 2, "4,2,3,3")])
async def test_a_rubric_for_one_kind_of_question_leaves_the_others_out(database, scripted, part, kind, calls, kept):
    await prepared(database, scripted, part)
    says = "correctness: 3\nexplanation: 1\naccuracy: 4\ninformativeness: 2\nfluency: 3\nlogic: 3"
    referee = Referee(scripted, lambda _: says)
    (run,) = await judging.judge(caller(database, referee), "taste", JudgingRequest(("referee",), f"stars-{kind}"))
    # Of two models: sum has two turns and a reference, sea a hint, and poem neither.
    assert (run.done, {row.scores for row in await rows(database)}) == (calls, {kept})
    hinted = [messages[-1].content for _, messages in referee.asked if "Name a sea" in messages[-1].content]
    assert all("Any will do." in text for text in hinted)


@pytest.mark.sqlite
async def test_mathematics_is_judged_beside_the_right_answer(database, scripted, part):
    await database.write(add_endpoints)
    await database.write(lambda session: add_judge(session, "referee"))
    await add_evaluation(database, questions=[each for each in QUESTIONS if each.reference])
    await generation.generate(caller(database, scripted), "taste")
    referee = Referee(scripted, lambda _: "[[tie]]")
    (run,) = await judging.judge(caller(database, referee), "taste", JudgingRequest(("referee",), "reference"))
    assert (run.done, run.failed) == (4, 0)
    assert all("Right answer" in messages[-1].content for _, messages in referee.asked)


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("own", "related"),
    [
        ({"owner": "Somebody Labs"}, dict.fromkeys(NAMES, Relation.OWNER)),
        ({"family": NAMES[0]}, {NAMES[0]: Relation.FAMILY}),
        ({"url": "", "wire_model": NAMES[1]}, {NAMES[1]: Relation.SELF}),
    ],
)
async def test_a_judge_never_judges_its_own_family_or_owner_and_says_so(database, scripted, part, own, related):
    await prepared(database, scripted, part, **own)
    (run,) = await judging.judge(caller(database, Referee(scripted, lambda _: "[[A]]")), "taste", GRADES)
    assert (run.done, run.left) == (0, 0)
    assert run.related == related


@pytest.mark.sqlite
async def test_models_without_a_named_owner_have_no_common_owner(database, scripted, part):
    def forget(session):
        for row in endpoints.list_all(session):
            row.owner = owners.find_or_add(session, UNNAMED_OWNER, START)

    await prepared(database, scripted, part)
    await database.write(forget)
    (run,) = await judging.judge(caller(database, Referee(scripted, lambda _: "[[A]]")), "taste", GRADES)
    assert (run.done, run.left, run.related) == (8, 0, {})


@pytest.mark.sqlite
async def test_a_report_on_judges_names_what_a_judge_left_out(database, scripted, part):
    await prepared(database, scripted, part)
    referee = caller(database, Referee(scripted, lambda _: "[[8]]"))
    await judging.judge(referee, "taste", JudgingRequest(("referee",), "score"))
    (view,) = (await judges_report(database, "taste")).judges
    assert view.related == []

    def join(session):
        endpoints.by_name(session, "referee").family = NAMES[0]  # pyright: ignore[reportOptionalMemberAccess]

    await database.write(join)
    (view,) = (await judges_report(database, "taste")).judges
    assert view.related == [], "it has judged that model before"
    await judging.judge(referee, "taste", JudgingRequest(("referee",), "stars"))
    views = {view.rubric: view for view in (await judges_report(database, "taste")).judges}
    assert [(row.name, row.relation) for row in views["stars"].related] == [(NAMES[0], Relation.FAMILY)]


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("new", "reason"),
    [
        (JudgingRequest(("nobody",), "grades"), "no endpoint 'nobody' to judge"),
        (JudgingRequest((NAMES[0],), "vibes"), "no rubric 'vibes'"),
        (JudgingRequest(("referee",), "grades", "fr"), "not written in 'fr'"),
        (JudgingRequest(("referee",), "score", baseline=NAMES[0]), "for single answers, which need no baseline"),
        (
            JudgingRequest(("referee",), "grades", budget=1.0),
            "referee has no prices, so nobody can keep it within a budget",
        ),
        (JudgingRequest(("referee",), "reference"), "needs a right answer; the question poem has none"),
        (JudgingRequest(("referee",), "grades", baseline="green"), "The baseline green has no answers"),
    ],
)
async def test_what_cannot_be_judged_is_one_clear_error_and_nothing_is_asked(database, scripted, part, new, reason):
    await prepared(database, scripted, part)
    with pytest.raises(Invalid, match=reason):
        await judging.judge(caller(database, scripted), "taste", new)
    assert await rows(database) == []


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("judge", "reason"),
    [({"uses": False}, "no leave to judge"), ({"state": EndpointState.PAUSED}, "is paused, so it cannot judge")],
)
async def test_who_may_not_judge_is_told_so(database, scripted, part, judge, reason):
    await prepared(database, scripted, part, **judge)
    with pytest.raises(Invalid, match=reason):
        await judging.judge(caller(database, scripted), "taste", GRADES)


@pytest.mark.sqlite
@pytest.mark.parametrize("key_env", [None, "REFEREE_KEY"])
async def test_the_way_to_leave_is_the_owner_s_where_the_owner_alone_can_give_it(database, scripted, part, key_env):
    await prepared(database, scripted, part, uses=False, key_env=key_env)
    with pytest.raises(Invalid, match="arena endpoints use referee judging"):
        await judging.judge(caller(database, scripted), "taste", GRADES)

    def claim(session) -> None:
        owners.join(session, "p" * 64, endpoints.by_name(session, "referee").owner.id, START)  # pyright: ignore[reportOptionalMemberAccess]

    await database.write(claim)
    way = "Referees, who pays for its calls, can allow it on the owner page" if key_env is None else "endpoints use"
    with pytest.raises(Invalid, match=way) as refused:
        await judging.judge(caller(database, scripted), "taste", GRADES)
    assert ("arena endpoints" in str(refused.value)) is (key_env is not None)


@pytest.mark.sqlite
async def test_an_unknown_evaluation_is_not_found(database, scripted):
    with pytest.raises(EvaluationNotFound):
        await judging.judge(caller(database, scripted), "taste", GRADES)


@pytest.mark.sqlite
async def test_judgements_leave_the_digest_of_the_board_as_it_was(database, scripted, part):
    await prepared(database, scripted, part)
    await importer.import_votes(database, made(), START)
    before = await fitted(database)
    await judging.judge(caller(database, Referee(scripted, lambda _text: "[[A>>B]]")), "taste", GRADES)
    assert len(await rows(database)) == 8
    assert await fitted(database) == before


async def fitted(database) -> str:
    """The digest of a board that is fitted anew to all votes, whatever was published before."""
    with ThreadPoolExecutor(1) as executor:
        await publish_once(database, METHOD, CountedLog(), executor=executor, now=lambda: START)
    found = await database.read(snapshots.newest)
    await database.write(
        lambda session: [session.execute(delete(each)) for each in (PairTableRow, PartRow, SnapshotRow)]
    )
    return found.digest
