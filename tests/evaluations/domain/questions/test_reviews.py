"""Three different people confirm one wording; an amendment begins anew, and a rejection ends it."""

from __future__ import annotations

import pytest

from arena.domain.errors import ArenaError, Conflict, Invalid
from arena.domain.schemas.questions import WordingView
from arena.evaluations.domain.questions.reviews import Review, apply_review, apply_reviews
from arena.evaluations.domain.terms import ReviewDecision

WORDING = WordingView(question="Which is a sea?", options=["The Baltic", "Etna", "The Rhine", "The Sahara"], key="A")
BETTER = WORDING.model_copy(update={"question": "Which of these four is a sea?"})


def confirms(*names: str) -> list[Review]:
    return [Review(name, ReviewDecision.CONFIRMED) for name in names]


def test_each_confirmation_is_a_state_and_the_third_the_last():
    states = [apply_reviews(WORDING, confirms("Ada", "Ben", "Cyd")[:number]).state for number in range(4)]
    assert states == ["converted", "reviewed once", "reviewed twice", "confirmed"]


def test_an_amendment_is_the_first_review_of_its_wording():
    found = apply_reviews(WORDING, [*confirms("Ada", "Ben"), Review("Cyd", ReviewDecision.AMENDED, BETTER)])
    assert (found.wording, found.confirmed_by, found.state) == (BETTER, ("cyd",), "reviewed once")
    assert (
        apply_reviews(WORDING, [Review("Cyd", ReviewDecision.AMENDED, BETTER), *confirms("Ada", "Ben")]).state
        == "confirmed"
    )


def test_an_unreadable_one_is_written_by_a_person():
    assert apply_reviews(None, []).state == "unreadable"
    found = apply_reviews(None, [Review("Ada", ReviewDecision.AMENDED, WORDING), *confirms("Ben", "Cyd")])
    assert (found.state, found.wording) == ("confirmed", WORDING)


def test_a_confirmed_one_can_be_rejected_or_amended_when_a_fault_is_found():
    before = apply_reviews(WORDING, confirms("Ada", "Ben", "Cyd"))
    assert apply_review(before, Review("Dan", ReviewDecision.REJECTED, remark="Two are right.")).state == "rejected"
    assert apply_review(before, Review("Dan", ReviewDecision.AMENDED, BETTER)).state == "reviewed once"


@pytest.mark.parametrize(
    ("before", "review", "error", "why"),
    [
        (confirms("Ada"), *confirms("  ADA "), Conflict, "somebody else's"),
        (confirms("Ada", "Ben", "Cyd"), *confirms("Dan"), Conflict, "already"),
        ([Review("Ada", ReviewDecision.REJECTED, remark="Wrong.")], *confirms("Ben"), Conflict, "nothing changes that"),
        (
            [Review("Ada", ReviewDecision.REJECTED, remark="Wrong.")],
            Review("Ben", ReviewDecision.AMENDED, BETTER),
            Conflict,
            "nothing changes that",
        ),
        ([], Review("Ada", ReviewDecision.REJECTED, remark=" "), Invalid, "reason"),
        ([], Review("Ada", ReviewDecision.AMENDED), Invalid, "new wording"),
        ([], *confirms(" "), Invalid, "name"),
        ([], *confirms("a" * 81), Invalid, "name"),
        ([], *confirms("a\x00b"), Invalid, "name"),
    ],
)
def test_a_review_that_cannot_be_has_one_clear_error(before, review, error: type[ArenaError], why):
    with pytest.raises(error, match=why):
        apply_review(apply_reviews(WORDING, before), review)


def test_there_is_nothing_to_confirm_where_nothing_was_read():
    with pytest.raises(Invalid, match="amend or reject"):
        apply_review(apply_reviews(None, []), *confirms("Ada"))
