"""The report on judges, which reads columns, has the figures of a computation row by row."""

from __future__ import annotations

from itertools import combinations, product
from random import Random

import pytest
from sqlalchemy import event, select

from arena.adapters.store.tables.endpoints import EndpointRow
from arena.domain.schemas.questions import QuestionView
from arena.domain.terms import Outcome
from arena.evaluations.domain.people.protocols import SKIP
from arena.evaluations.store import annotations, annotators, judgements
from arena.evaluations.store import evaluations as stored
from arena.evaluations.store.tables.annotations import EvaluationItemRow
from arena.evaluations.usecases.judges.judged_pairs import read_pairs
from arena.evaluations.usecases.judges.judges_report import judges_report
from tests.conftest import START, add_endpoints
from tests.evaluations.usecases.plain_judges import figures
from tests.evaluations.usecases.populated import add_evaluation
from tests.evaluations.usecases.test_judging import add_judge

JUDGES = {
    "ada": ("grades", "stars"),
    "bea": ("grades", "pairwise", "score"),
    "cyd": ("grades", "score"),
    "dot": ("pairwise",),
}
QUESTIONS = [
    QuestionView(
        id=f"q{number}", turns=["One?", "Two?"][: 1 + number % 2], area=("", "Law", "Music")[number % 3] or None
    )
    for number in range(24)
]
WORDS = [*(each.value for each in Outcome), None]


async def add_world(database, seed: int) -> None:
    await database.write(add_endpoints)
    await add_evaluation(database, questions=QUESTIONS, models=(), others=("gull", "tern", "kite", "wren"))
    await database.write(_fill, Random(seed))


def _fill(session, rng: Random) -> None:
    for name in JUDGES:
        add_judge(session, name)
    row = stored.by_name(session, "taste")
    models, asked = stored.models(session, row.id), stored.question_ids(session, row.set_id)
    turns = {asked[each.id]: len(each.turns) for each in QUESTIONS}
    facts = {"fault": None, "settings": {}, "tokens": None, "milliseconds": None, "created_at": START}
    for model, question in product(models, asked.values()):
        texts = ["啊" * rng.choice([0, 50, 400, 900]) for _ in range(turns[question])]
        if rng.random() < 0.9:
            stored.put_answer(session, model.id, question, texts=texts, **facts)
    pairs = [(q, *pair) for q, pair in product(asked.values(), combinations([each.id for each in models], 2))]
    _ask_people(session, row.id, pairs, rng)
    _ask_judges(session, row.id, [(q, turn, a, b) for q, a, b in pairs for turn in range(1, 1 + turns[q])], rng)


def _ask_people(session, evaluation_id, pairs, rng) -> None:
    people = [annotators.add_annotator(session, evaluation_id, f"p{number}", START) for number in range(4)]
    for number, (question, first, second) in enumerate(pairs, 1):
        fields = {"form": "pair", "overlap": False, "needed": 3, "taken": 3, "disputed": False, "number": number}
        ids = {"question_id": question, "first_id": first, "second_id": second}
        item = EvaluationItemRow(evaluation_id=evaluation_id, **ids, **fields)
        session.add(item)
        session.flush()
        for person, attempt in product(people, (0, 1)):
            if rng.random() < 0.6:
                said = {"swapped": rng.random() < 0.5, "value": rng.choice([*WORDS[:2], *WORDS[:4], SKIP])}
                place = {"item_id": item.id, "annotator_id": person.id, "attempt": attempt, "round": 0}
                annotation = {**place, **said, "milliseconds": None, "created_at": START}
                annotations.add(session, [{"evaluation_id": evaluation_id, **annotation}])
    annotations.withdraw_all(session, people[-1].id, "no", START)


def _ask_judges(session, evaluation_id, pairs, rng) -> None:
    ids = {row.name: row.id for row in session.scalars(select(EndpointRow))}
    answers = {(q, turn, model, model) for q, turn, a, b in pairs for model in (a, b)}
    for judge, rubrics in JUDGES.items():
        for rubric in rubrics:
            alone = rubric in {"score", "stars"}
            orders = (False,) if alone else (False, True)
            wanted = product(sorted(answers) if alone else pairs, orders)
            for pair, swapped in wanted:
                if rng.random() < 0.9:
                    said = _scores(rubric, rng) if alone else _verdict(rng)
                    place = dict(zip(("question_id", "turn", "first_id", "second_id"), pair, strict=True))
                    sums = {"tokens": rng.randrange(500), "cost": rng.choice([None, rng.random()]), "milliseconds": 1}
                    made = {"judge_id": ids[judge], "rubric": rubric, "rubric_version": 1, "language": "en"}
                    kept = {"evaluation_id": evaluation_id, "text": "", "created_at": START, "swapped": swapped}
                    judgements.add(session, **kept, **place, **made, **sums, **said)


def _verdict(rng: Random) -> dict:
    return {"outcome": rng.choice(WORDS), "strong": rng.random() < 0.4, "scores": None}


def _scores(rubric: str, rng: Random) -> dict:
    scores = [rng.randint(1, 10)] if rubric == "score" else [rng.randint(1, 3) for _ in range(5)]
    said = ",".join(map(str, scores)) if rng.random() < 0.9 else None
    return {"outcome": None, "strong": False, "scores": said}


@pytest.mark.both_databases
@pytest.mark.parametrize("seed", [1, 2])
async def test_columns_give_what_single_rows_give(database, seed):
    await add_world(database, seed)
    plain = await database.read(figures, 1)
    report = await judges_report(database, "taste")
    assert [(judge.rubric, judge.judge) for judge in report.judges] == list(plain)
    for judge in report.judges:
        wanted = plain[judge.rubric, judge.judge]
        assert judge.pairs == wanted["pairs"]
        assert judge.judgements == wanted.get("judgements", 0)
        assert judge.unreadable == wanted.get("unreadable", 0)
        for name in ("tokens", "cost"):
            assert getattr(judge, name) == pytest.approx(wanted.get(name))
        assert judge.shown_first.value == pytest.approx(wanted.get("shown_first"))
        if judge.flips.value is not None:
            assert judge.flips.value == pytest.approx(wanted["flips"] / wanted["pairs"])
        assert {each.area: (each.raw.value, each.raw.n) for each in judge.agreement} == wanted["agreement"]
        assert [(each.longer, each.tie, each.shorter) for each in judge.lengths] == wanted["lengths"]
        assert [each.mean.value for each in judge.scores] == pytest.approx(wanted.get("scores", []))
        told = {
            each.name: (each.wins, each.ties, each.losses, round(each.later_turns.value * each.later_turns.n))
            for each in judge.models
        }
        assert told == wanted["models"]
        assert {each.name: each.rating for each in judge.models} == pytest.approx(wanted["ratings"])


@pytest.mark.sqlite
async def test_no_text_of_a_judge_is_read(database):
    await add_world(database, 1)
    asked: list[str] = []

    def watched(session):
        event.listen(session.connection(), "before_cursor_execute", lambda *args: asked.append(args[2]))
        return read_pairs(session, stored.by_id(session, 1), "symmetric")

    judged, _ = await database.read(watched)
    assert len(judged) == sum(map(len, JUDGES.values()))
    assert not [text for text in asked if "judgements.text" in text]
