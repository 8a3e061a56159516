"""Likelihoods of a set's answers: asked of who passes the probe, scored against votes, and refused clearly."""

from __future__ import annotations

import json
from typing import Any

import httpx2
import pytest

from arena.adapters.store import endpoints
from arena.domain.errors import Invalid, QuestionSetNotFound
from arena.domain.schemas.questions import QuestionView, RankedAnswerView
from arena.evaluations.store import evaluations as stored
from arena.evaluations.usecases import likelihood, views
from arena.evaluations.usecases.definition import evaluation_row, questions_of
from arena.evaluations.usecases.reports.report import report
from arena_providers.transport.http_client import HttpClient
from tests.conftest import NAMES, START, add_endpoints
from tests.evaluations.usecases.populated import QUESTIONS, add_evaluation, caller, keep_set
from tests.providers.conftest import Body
from tests.providers.echo_servers import PRETENDERS, honest, transport

pytestmark = pytest.mark.sqlite


def ranked(name: str, area: str, *answers: tuple[str, int]) -> QuestionView:
    return QuestionView(
        id=name,
        turns=["Where does the sun rise?"],
        area=area,
        answers=[RankedAnswerView(text=text, votes=votes) for text, votes in answers],
    )


RANKED = (
    ranked("known", "Sky", ("The sun rises in the east", 9), ("the in rises east", 1), ("east the The sun", 2)),
    ranked("turned", "Land", ("The sun rises in the east", 1), ("the in rises east", 9), ("east the The sun", 8)),
    ranked("even", "Sea", ("The sun rises", 3), ("in the west", 3)),
    QuestionView(id="open", turns=["Why?"]),
)


async def asked(database, scripted, server=honest, questions=RANKED):
    await database.write(add_endpoints)
    await database.write(lambda session: setattr(endpoints.by_name(session, NAMES[0]), "url", ""))
    await keep_set(database, questions)
    async with HttpClient(transport=transport(server)) as client:
        return await likelihood.measure_likelihood(caller(database, scripted), client, NAMES[0], "ours")


async def test_answers_are_ranked_as_the_model_finds_them_likely(database, scripted):
    found = await asked(database, scripted, honest)
    assert found.dialect == "completions_echo"
    assert (found.score.questions, found.score.undefined) == (2, 1)
    assert found.score.topics == {"Sky": pytest.approx(1, abs=0.1), "Land": pytest.approx(-1, abs=0.1)}
    assert found.score.value == pytest.approx(0, abs=0.1)


async def test_an_endpoint_that_pretends_is_refused_with_the_reasons(database, scripted):
    with pytest.raises(Invalid, match=r"red-7b cannot tell likelihoods \(completions_echo: .*; llamacpp_forced: "):
        await asked(database, scripted, PRETENDERS["ignores echo"])


async def test_a_set_without_votes_is_refused(database, scripted):
    with pytest.raises(Invalid, match="No question of ours has several answers with votes"):
        await asked(database, scripted, questions=QUESTIONS)


async def test_a_set_that_is_not_there_is_not_found(database, scripted):
    async with HttpClient(transport=transport(honest)) as client:
        with pytest.raises(QuestionSetNotFound):
            await likelihood.measure_likelihood(caller(database, scripted), client, NAMES[0], "nowhere")


async def run_ranked(database, scripted, server):
    await add_evaluation(database, questions=RANKED[:3], protocol="likelihood")
    await database.write(lambda session: setattr(endpoints.by_name(session, NAMES[0]), "url", ""))
    across = server if isinstance(server, httpx2.MockTransport) else transport(server)
    async with HttpClient(transport=across) as client:
        return await likelihood.run_models(caller(database, scripted), client, "taste")


async def test_in_an_evaluation_likelihoods_are_kept_once_and_reported_by_topic(database, scripted):
    first, _ = await run_ranked(database, scripted, honest)
    assert (first.name, first.done, first.left) == (NAMES[0], 3, 0)
    found = await report(database, "taste")
    whole, *topics = [each for each in found.likelihoods if each.model == NAMES[0]]
    assert (whole.topic, whole.questions, whole.undefined) == ("", 2, 1)
    assert whole.correlation == pytest.approx(0, abs=0.1)
    assert [(each.topic, each.questions, each.undefined) for each in topics] == [
        ("Sky", 1, 0),
        ("Land", 1, 0),
        ("Sea", 0, 1),
    ]
    assert [(each.between, each.within) for each in found.variance] == [(1, 2)]
    async with HttpClient(transport=transport(PRETENDERS["ignores echo"])) as client:
        again, _ = await likelihood.run_models(caller(database, scripted), client, "taste")
    assert (again.done, again.left) == (3, 0)


async def keep_correlations(database, by_model: dict[str, dict[str, float]]) -> None:
    """Answers whose likelihoods correlate with the votes 9, 1 and 2 of `known` and others of its kind as given."""
    asked = [ranked(name, "Sky", ("a", 2), ("b", 0), ("c", 1)) for name in "wxyz"]
    await database.write(add_endpoints, tuple(by_model))
    await add_evaluation(database, questions=asked, models=tuple(by_model), protocol="likelihood")

    def keep(session) -> None:
        row = evaluation_row(session, "taste")
        numbers = {question.id: number for number, question in questions_of(session, row.set_id).items()}
        for model in stored.models(session, row.id):
            for name, r in by_model[model.name].items():
                other = (1 - r**2) ** 0.5 / 3**0.5
                texts = [repr(value) for value in (r + other, -r + other, -2 * other)]
                facts = {"texts": texts, "fault": None, "settings": {}, "tokens": None, "milliseconds": None}
                stored.put_answer(session, model.id, numbers[name], **facts, created_at=START)

    await database.write(keep)


async def test_a_model_stands_beside_its_base_with_the_difference_over_common_questions(database):
    tuned, plain = {"w": 0.9, "x": 0.5, "y": 0.7}, {"w": 0.4, "x": 0.3, "z": -0.8}
    await keep_correlations(database, {"chat": tuned, "base": plain, "other": {"w": 0.1}})
    (row,) = (await report(database, "taste", bases={"chat": "base"})).bases
    assert (row.model, row.base, row.questions, row.rank, row.base_rank) == ("chat", "base", 2, 1, 3)
    assert (row.correlation, row.base_correlation) == (pytest.approx(0.7), pytest.approx(-0.1 / 3))
    assert row.difference == pytest.approx(0.35)
    assert (row.low, row.high) == (
        pytest.approx(0.35 - 12.7062 * 0.15, abs=1e-3),
        pytest.approx(0.35 + 12.7062 * 0.15, abs=1e-3),
    )
    assert (await report(database, "taste")).bases == []


@pytest.mark.parametrize(
    ("bases", "reason"),
    [
        ({"chat": "none"}, "'none' has no likelihoods"),
        ({"none": "chat"}, "'none' has no likelihoods"),
        ({"chat": "other"}, "no question in common"),
    ],
)
async def test_a_base_without_likelihoods_or_common_questions_is_refused(database, bases, reason):
    await keep_correlations(database, {"chat": {"w": 0.9}, "other": {"x": 0.1}})
    with pytest.raises(Invalid, match=reason):
        await report(database, "taste", bases=bases)


async def test_only_likelihoods_have_bases(database):
    await add_evaluation(database)
    with pytest.raises(Invalid, match="Only an evaluation by likelihood"):
        await report(database, "taste", bases={NAMES[0]: NAMES[1]})


async def test_in_an_evaluation_a_pretender_keeps_nothing(database, scripted):
    first, _ = await run_ranked(database, scripted, PRETENDERS["ignores echo"])
    assert (first.done, first.left) == (0, 3)
    assert "cannot tell likelihoods" in first.stopped
    assert (await report(database, "taste")).likelihoods == []


async def test_a_set_whose_questions_have_no_answers_is_refused_for_an_evaluation(database):
    with pytest.raises(Invalid, match=r"Answers are ranked where there are two at least; open \(«Why\?»\) has 0"):
        await add_evaluation(database, questions=RANKED, protocol="likelihood")


def too_long_for(word: str) -> httpx2.MockTransport:
    """The correct server, which refuses texts with this word as too long for its context."""
    refusal = {"error": {"code": "context_length_exceeded", "message": "over the maximum context length"}}
    usual = transport(honest)

    def handle(request) -> Any:
        if word in json.loads(request.content)["prompt"]:
            return httpx2.Response(400, stream=Body([json.dumps(refusal).encode()]))
        return usual.handler(request)

    return httpx2.MockTransport(handle)


async def test_a_question_that_the_server_refuses_is_a_fault_and_the_others_go_on(database, scripted):
    first, _ = await run_ranked(database, scripted, too_long_for("east the The sun"))
    assert (first.done, first.failed, first.left, first.stopped) == (1, 2, 0, "")
    found = (await views.progress(database, "taste")).models[0]
    assert (found.answered, found.faults) == (1, {"context_too_long": 2})
    async with HttpClient(transport=transport(honest)) as client:
        again, _ = await likelihood.run_models(caller(database, scripted), client, "taste", retry=True)
    assert (again.done, again.failed, again.left) == (3, 0, 0)
