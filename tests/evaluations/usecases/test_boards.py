"""Errors on the board of an evaluation, where judgements of one question and of one person depend on each other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import ArrayLike

from arena.domain.terms import Outcome
from arena.evaluations.store.tables.evaluations import EvaluationRow
from arena.evaluations.usecases.reports import boards as boards_module
from arena.evaluations.usecases.reports.boards import comparison_tables
from arena.evaluations.usecases.reports.columns import ReportColumns
from arena.evaluations.usecases.reports.report import tables
from arena_rating import TENCENT
from tests.rating.logs import require

LOGS = 40


@dataclass(frozen=True)
class World:
    """Equal models, whose answers please more or less by question and by person."""

    models: int
    questions: int
    people: int
    by_question: float
    by_person: float

    def log(self, seed: int) -> ReportColumns:
        """All pairs of all questions, each judged by three people."""
        rng = np.random.default_rng(seed)
        first, second = np.array(list(combinations(range(self.models), 2))).T
        pairs, items = len(first), self.questions * len(first)
        question, pair = np.divmod(np.arange(items), pairs)
        item = np.repeat(np.arange(items), 3)
        person = np.argsort(rng.random((items, self.people)), axis=1)[:, :3].ravel()
        taste = rng.normal(0, self.by_question, (self.questions, self.models))[question[item]]
        taste = taste + rng.normal(0, self.by_person, (self.people, self.models))[person]
        rows = np.arange(len(item))
        gap = taste[rows, first[pair[item]]] - taste[rows, second[pair[item]]]
        chosen = rng.random(len(item)) < 1 / (1 + np.exp(-gap))
        return columns(self.models, first[pair], second[pair], question, item, person, np.where(chosen, 0, 1))


def columns(models: int, *given: ArrayLike) -> ReportColumns:
    """Annotations by first, second and question of each item, and their item, person and code."""
    first, second, question, item, person, code = (np.asarray(column, np.int32) for column in given)
    zeros, people = np.zeros(len(first), np.int32), int(person.max()) + 1
    return ReportColumns(
        item=item,
        person=person,
        repeat=np.zeros(len(item), bool),
        swapped=np.zeros(len(item), bool),
        code=code,
        milliseconds=np.full(len(item), np.nan),
        values=(Outcome.A.value, Outcome.B.value),
        people=tuple(map(str, range(people))),
        teams=("onsite",) * people,
        models=tuple(f"m{number}" for number in range(models)),
        first=first,
        second=second,
        question=question,
        area=zeros,
        areas=("",),
        form=zeros,
        forms=("",),
        questions=int(question.max()) + 1,
    )


@pytest.fixture(autouse=True)
def few_orders(monkeypatch):
    """Averages of Elo are not what is tested here."""
    monkeypatch.setattr(boards_module, "TENCENT", replace(TENCENT, orders=2))


@pytest.fixture
def row() -> EvaluationRow:
    return EvaluationRow(name="equals", protocol="pairwise", seed=1, design="all")


WORLDS = (World(4, 60, 12, 1.0, 0.5), World(2, 150, 8, 1.5, 0.3), World(6, 30, 12, 0.0, 0.0))


@pytest.mark.parametrize("world", WORLDS, ids=str)
def test_intervals_hold_the_truth_and_no_equals_are_told_apart_where_questions_and_people_differ(world):
    """Independent judgements: 0.63, 0.73 and 0.94 of the intervals, and claims in up to 60 % of the logs."""
    boards = [comparison_tables(world.log(seed), 1)[0] for seed in range(LOGS)]
    inside = [require(model.bt_low) <= 1000 <= require(model.bt_high) for board in boards for model in board]
    assert np.mean(inside) >= 0.9
    claims = [any((model.rank_low, model.rank_high) != (1, world.models) for model in board) for board in boards]
    assert sum(claims) <= 2


@pytest.mark.parametrize("world", WORLDS, ids=str)
def test_no_neighbours_of_equals_are_told_apart(row, world):
    reports = [tables(row, world.log(seed)) for seed in range(20)]
    assert sum(any(not pair.tie for pair in report.neighbours) for report in reports) <= 1


def test_the_error_of_a_difference_of_two_models_is_that_of_both_together(row):
    """Of two models one rises as the other falls."""
    report = tables(row, WORLDS[1].log(0))
    (pair,), (high, low) = report.neighbours, report.board
    half = sum(require(model.bt_high) - require(model.bt_low) for model in (high, low)) / 2
    assert pair.z <= 1.02 * 1.96 * pair.difference / half


def test_models_that_no_comparison_connects_are_no_neighbours(row):
    item = np.arange(600) % 40
    sides = np.repeat([[0, 1], [2, 3]], 20, axis=0).T
    log = columns(4, *sides, np.arange(40) % 20, item, np.arange(600) // 40, np.arange(600) % 7 > 4)
    found = {frozenset((pair.first, pair.second)) for pair in tables(row, log).neighbours}
    assert found == {frozenset(("m0", "m1")), frozenset(("m2", "m3"))}


@pytest.mark.parametrize(("questions", "people"), [(1, 30), (30, 1)])
def test_one_question_or_one_person_leaves_the_other_kind_for_errors(row, questions, people):
    number, sides = np.arange(400), (np.zeros(questions), np.ones(questions))
    log = columns(2, *sides, np.arange(questions), number % questions, number % people, number % 3 > 1)
    (pair,) = tables(row, log).neighbours
    assert pair.z > 0
