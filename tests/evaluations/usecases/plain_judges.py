"""A report on judges computed row by row, as a reference for the columnar code."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations, groupby
from statistics import fmean

from arena.domain.terms import Outcome
from arena.evaluations.domain.judges.outcomes import by_difference
from arena.evaluations.domain.judges.verdict_words import Verdict
from arena.evaluations.store import annotations, judgements
from arena.evaluations.store import evaluations as stored
from arena.evaluations.usecases.definition import questions_of
from arena_rating import Comparisons, bradley_terry, pair_counts
from tests.evaluations.plain_outcomes import both_orders, majority, mean_points

FLIP = {Outcome.A: Outcome.B, Outcome.B: Outcome.A}


def figures(session, evaluation_id: int) -> dict:
    """Figures of each judge and panel by rubric and name."""
    row = stored.by_id(session, evaluation_id)
    world = _World(session, row)
    found = {}
    rows = sorted(judgements.all_rows(session, row.id), key=lambda each: (each[0].rubric, each[1]))
    for rubric, group in groupby(rows, key=lambda each: each[0].rubric):
        said = {}
        for judge, mine in groupby(group, key=lambda each: each[1]):
            own = [each for each, _ in mine]
            said[judge] = _pairs(own)
            found[rubric, judge] = _sums(own) | world.about(said[judge])
        if len(said) > 1:
            keys = {key for pairs in said.values() for key in pairs}
            told = {key: [pairs[key].outcome for pairs in said.values() if key in pairs] for key in keys}
            found[rubric, "panel, majority"] = world.about({key: Verdict(majority(told[key])) for key in keys})  # pyright: ignore[reportArgumentType]
            found[rubric, "panel, mean"] = world.about({key: Verdict(_mean(told[key])) for key in keys})
    return found


def _mean(told) -> Outcome:
    points = mean_points(told)
    return Outcome.TIE if points == 0.5 else Outcome.A if points > 0.5 else Outcome.B


def _pairs(own) -> dict:
    """What a judge says about each pair: both orders of answers compared, or two answers scored alone."""
    if own[0].rubric in ("score", "stars"):
        return _of_scores(own)
    told = defaultdict(dict)
    for row in own:
        if row.outcome is not None:
            told[row.question_id, row.turn, row.first_id, row.second_id][row.swapped] = Verdict(
                Outcome(row.outcome), row.strong
            )
    merged = {key: both_orders(both.get(False), _as_shown(both.get(True))) for key, both in told.items()}
    return {key: each for key, each in merged.items() if each}


def _as_shown(verdict):
    return verdict and verdict.mirrored


def _of_scores(own) -> dict:
    found, given = {}, defaultdict(list)
    for row in own:
        if row.scores is not None:
            given[row.question_id, row.turn].append((row.first_id, sum(map(int, row.scores.split(",")))))
    for (question, turn), answers in given.items():
        for (first, a), (second, b) in combinations(sorted(answers), 2):
            plain = Outcome.TIE if a == b else Outcome.A if a > b else Outcome.B
            outcome = by_difference(a, b) if own[0].rubric == "score" else plain
            found[question, turn, first, second] = Verdict(outcome)
    return found


def _sums(own) -> dict:
    costs = [row.cost for row in own if row.cost is not None]
    better = [row for row in own if row.outcome in FLIP]
    by_model = defaultdict(list)
    for row in own:
        if row.scores is not None:
            by_model[row.first_id].append([int(each) for each in row.scores.split(",")])
    return {
        "judgements": len(own),
        "unreadable": sum(row.outcome is None and row.scores is None for row in own),
        "shown_first": fmean((row.outcome == "b") == row.swapped for row in better) if better else None,
        "tokens": fmean(row.tokens for row in own),
        "cost": 1_000 * fmean(costs) if costs else None,
        "scores": [fmean(column) for scores in by_model.values() for column in zip(*scores, strict=True)],
    }


class _World:
    def __init__(self, session, row) -> None:
        self.models = {each.id: each.name for each in stored.models(session, row.id)}
        self.asked = questions_of(session, row.set_id)
        self.texts = {(each.model_id, each.question_id): each.texts for each in stored.answers(session, row.id)}
        self.people = _people(session, row.id)

    def about(self, said) -> dict:
        return {
            "pairs": len(said),
            "flips": sum(getattr(each, "flip", False) for each in said.values()),
            "agreement": self._agreement(said),
            "lengths": [self._lengths(said, least) for least in (100, 300)],
            "models": {name: self._model(said, number) for number, name in self.models.items()},
            "ratings": self._ratings(said),
        }

    def _agreement(self, said) -> dict:
        equal = defaultdict(list)
        for (question, turn, first, second), each in said.items():
            word, asked = self.people.get((question, first, second)), self.asked[question]
            if turn == len(asked.turns) and word is not None:
                alike = word == each.outcome or {word, each.outcome} == {Outcome.TIE, Outcome.BOTH_BAD}
                for area in {"", asked.area or ""}:
                    equal[area].append(alike)
        return {area: (fmean(found), len(found)) for area, found in equal.items()}

    def _longer(self, question, turn, first, second) -> int:
        lengths = (sum(map(len, self.texts.get((model, question), [])[:turn])) for model in (first, second))
        return next(lengths) - next(lengths)

    def _lengths(self, said, least) -> tuple:
        won = Counter()
        for key, each in said.items():
            longer = self._longer(*key)
            if abs(longer) >= least:
                better = Outcome.A if longer > 0 else Outcome.B
                won["tie" if each.outcome not in FLIP else "longer" if each.outcome == better else "shorter"] += 1
        return won["longer"], won["tie"], won["shorter"]

    def _model(self, said, number) -> tuple:
        won = Counter()
        for (_, turn, first, second), each in said.items():
            if number in (first, second):
                mine = Outcome.A if number == first else Outcome.B
                word = "win" if each.outcome == mine else "loss" if each.outcome in FLIP else "tie"
                won[word] += 1
                won[word, turn > 1] += 1
        return won["win"], won["tie"], won["loss"], won["win", True] + won["tie", True]

    def _ratings(self, said) -> dict:
        columns = [(self.models[a], self.models[b], each.outcome) for (_, _, a, b), each in said.items()]
        votes = [getattr(each, "votes", 1) for each in said.values()]
        rows = [row for row, many in zip(columns, votes, strict=True) for _ in range(many)]
        left, right, words = zip(*rows, strict=True)
        fit = bradley_terry(pair_counts(Comparisons.from_votes(left, right, [str(word) for word in words])))
        return dict(zip(fit.names, fit.rating.tolist(), strict=True))


def _people(session, evaluation_id: int) -> dict:
    items, said = {each.id: each for each in stored.items(session, evaluation_id)}, defaultdict(list)
    for annotation, withdrawn, _ in annotations.all_rows(session, evaluation_id):
        if annotation.value in set(Outcome) and not annotation.attempt and withdrawn is None:
            word = Outcome(annotation.value)
            said[annotation.item_id].append(Outcome.TIE if word is Outcome.BOTH_BAD else word)
    found = {}
    for number, words in said.items():
        word, votes = Counter(words).most_common(1)[0]
        if 2 * votes > len(words):
            found[items[number].question_id, items[number].first_id, items[number].second_id] = word
    return found
