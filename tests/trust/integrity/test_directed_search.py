"""The search that follows a push: with whom a part is compared, and what is contested of a push that was found."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena_trust.integrity.directed_search import DirectedSearch
from arena_trust.integrity.explanations import Explanation, explain
from arena_trust.integrity.slice_search import PartSide
from arena_trust.integrity.voter_search import VoterSearch
from tests.trust.integrity.logs import honest

MODEL = 1


def pushed(*directions, alike=True):
    """An honest log in which a tenth pushes a model in each of these directions (down or not), told by its check.

    The same half of its voters push always, or, if they are not alike, all in half of their votes. Returns the log and
    the mask of each tenth.
    """
    log, rng = honest(6_000, 1, models=6, newcomer=False), np.random.default_rng(1)
    check = rng.integers(0, 10, len(log)).astype(np.int32)
    log = replace(log, check=check, voter=(np.arange(len(log)) % 100).astype(np.int32))
    parts = [check == place for place in range(len(directions))]
    pushes = log.voter % 2 == 0 if alike else rng.random(len(log)) < 0.5
    for part, down in zip(parts, directions, strict=True):
        for side, wins in ((log.left, 0), (log.right, 1)):
            log.outcome[part & pushes & (side == MODEL)] = 1 - wins if down else wins
    return log, parts


@pytest.mark.parametrize("down", [False, True])
def test_a_part_is_compared_with_others_that_push_the_model_the_other_way_or_not_at_all(down):
    def compared(*directions):
        log, parts = pushed(*directions)
        search = DirectedSearch(log)
        hits = search.heard.hits(MODEL)
        explanation = explain(search.heard, hits, parts[0], down=down, meetings=search.heard.mask)
        return search._control(PartSide(parts[0], down, explanation), hits), parts

    control, (part,) = compared(down)
    assert np.array_equal(control, ~part)
    control, (part, likewise) = compared(down, down)
    assert np.array_equal(control, ~part & ~likewise)
    control, (part, otherwise) = compared(down, not down)
    assert control[otherwise].all()
    assert not control[part].any()


@pytest.mark.parametrize(
    ("value", "alike", "again", "is_contested"),
    [
        (0.0, True, True, True),
        (1.9, False, True, False),
        (2.5, False, True, True),
        (0.0, True, False, False),
        (4.5, False, False, True),
    ],
)
def test_what_is_left_of_a_push_is_contested_if_it_is_no_chance_or_its_voters_are_alike(
    value, alike, again, is_contested
):
    search = DirectedSearch(pushed(False, alike=alike)[0])
    part, hits = next((part, hits) for part, hits in search._parts() if (part.model, part.down) == (MODEL, False))
    search.pushed |= {(MODEL, False)} if again else set()
    case = search._case(part, hits)
    assert case is not None
    assert search._contest(case._replace(value=value)) == is_contested


def test_less_guilt_is_asked_of_a_further_part_of_a_push_that_was_found():
    log, (mask,) = pushed(False)
    search = DirectedSearch(log)
    part, hits = next((part, hits) for part, hits in search._parts() if (part.model, part.down) == (MODEL, False))
    case = search._case(part, hits)
    assert case is not None
    side, weak = (
        PartSide(mask, False, Explanation(190, 0.1, 0.15, 0.02, 0.3, 10, 1, 0, 4, 0.05)),
        case._replace(capped=0),
    )
    assert not search._may_lose(side, weak)
    search.pushed.add((MODEL, False))
    assert search._may_lose(side, weak)
    assert not search._may_lose(side._replace(down=True), weak)


@pytest.mark.parametrize(
    ("facts", "without_language"), [(("language", "check"), True), (("language",), False), (("check", "client"), False)]
)
def test_where_a_part_crosses_a_language_it_is_also_looked_for_without_languages(facts, without_language):
    log, rng = honest(6_000, 1, models=6, newcomer=False), np.random.default_rng(1)
    codes = {name: rng.integers(0, 4, len(log)).astype(np.int32) for name in ("language", "check", "client")}
    part = np.all([codes[name] == 0 for name in facts], axis=0)
    for side, wins in ((log.left, 0), (log.right, 1)):
        log.outcome[part & (side == MODEL)] = wins
    search = DirectedSearch(replace(log, **codes))
    hits = search.heard.hits(MODEL)
    parts = search._scan(hits, hits.expected(search.heard.board), search.divisions)
    assert set(max(parts, key=lambda part: part.value).sets) == set(facts)
    assert len(parts) == (4 if without_language else 2)
    assert not any("language" in part.sets for part in parts[2:])


def test_votes_that_a_part_needs_no_push_for_are_honest():
    log, (mask,) = pushed(False)
    side = PartSide(mask, False, Explanation(200, 0.1, 0.75, 0.02, 0.3, 10, 1, 0, 4, 0.05))
    search = VoterSearch(log)
    assert search._honest(side, search.heard.hits(MODEL)) == 50


@pytest.mark.parametrize(("guilt", "takes_others"), [(0.5, True), (0.49, False)])
def test_votes_of_pushers_outside_a_part_go_only_if_half_of_the_part_is_hostile(guilt, takes_others):
    log = honest(6_000, 1, models=6, newcomer=False)
    log = replace(log, voter=(np.arange(len(log)) % 200).astype(np.int32))
    pushes = log.voter < 40
    for side, wins in ((log.left, 0), (log.right, 1)):
        log.outcome[pushes & (side == MODEL)] = wins
    part = pushes & (np.arange(len(log)) // 200 % 2 == 0)
    search = DirectedSearch(log)
    hits = search.heard.hits(MODEL)
    side = PartSide(part, False, Explanation(190, 0.1, guilt, 0.02, 0.3, 10, 1, 0, 4, 0.05))
    taken = search._taken(side, hits)[hits.rows]
    assert taken[part[hits.rows]].all()
    assert taken[(pushes & ~part)[hits.rows]].all() == takes_others
    assert not taken[~pushes[hits.rows]].any()
