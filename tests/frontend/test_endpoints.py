"""Rows of the operator's table of endpoints."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from arena.domain.schemas.endpoints import ChangeView, OperatedEndpointView, ProbeView
from arena.domain.terms import EndpointState
from arena_frontend.pages.operator.endpoints import abilities, open_acts, place, why
from arena_frontend.pages.owners.endpoint import endpoint_values, prompt_facts
from arena_frontend.pages.sentences import error_kind, fault, vendor
from arena_frontend.texts import texts
from arena_providers.presets import PRESETS

from .fake_owners import FakeOwners, detail

START = datetime(2026, 1, 1, tzinfo=UTC)


def view(state: str, **fields: Any) -> OperatedEndpointView:
    made = FakeOwners().begin(name="Heron", url="https://h.example/v1", wire_model="heron")
    facts = {"owner": "Heron Labs", "revision": 1, "warnings": []}
    return OperatedEndpointView.model_validate(detail(made) | facts | {"state": state} | fields)


def change(code: str | None, minutes: int, reason: str = "typed by a person", number: int = 0) -> ChangeView:
    facts = {"before": None, "after": EndpointState.PAUSED, "actor": "operator", "reason": reason, "code": code}
    return ChangeView.model_validate(facts | {"number": number, "at": START + timedelta(minutes=minutes)})


def test_what_waits_for_approval_comes_first_and_then_the_states_in_order_with_names_in_each() -> None:
    rows = [view("retired"), view("active", name="b"), view("active", name="A"), view("retired", pending={"link": "x"})]
    assert sorted(rows, key=place) == [rows[3], rows[2], rows[1], rows[0]]


@pytest.mark.parametrize(
    ("state", "acts"),
    [
        ("pending", ["approve", "languages", "vision", "suspend", "retire"]),
        ("suspended", ["resume", "languages", "vision", "retire"]),
        ("probing", []),
        ("retired", []),
    ],
)
def test_each_state_has_the_acts_that_lead_out_of_it(state: str, acts: list[str]) -> None:
    assert open_acts(view(state)) == acts
    assert open_acts(view(state, pending={"link": "x"})) == ["approve_changes", "refuse_changes", *acts]


def test_the_reason_of_a_state_is_that_of_the_newest_change_and_of_equal_ones_the_last() -> None:
    words = texts("en")
    assert why(words, view("active", changes=[change("listed", 2), change("passed", 1)])) == words["own.reason.listed"]
    assert why(words, view("active", changes=[change("listed", 2), change(None, 2)])) == "typed by a person"
    assert why(words, view("active", changes=[])) == ""


@pytest.mark.parametrize("state", ["paused", "suspended", "retired"])
def test_the_reason_of_what_takes_no_part_is_that_of_the_change_which_set_the_state(state: str) -> None:
    later = {"changes": [change("changes_refused", 2)], "last_move": change(None, 1)}
    assert why(texts("en"), view(state, **later)) == "typed by a person"


def test_a_history_is_newest_first_and_changes_of_one_moment_are_in_the_order_of_their_numbers() -> None:
    steps = [change("to_be_probed", 1, number=2), change("registered", 1, number=1), change("failed", 3, number=3)]
    for changes in (steps, steps[::-1]):
        shown = endpoint_values(view("draft", changes=changes))["changes"]
        assert [step.code for step in shown] == ["failed", "to_be_probed", "registered"]


def test_a_draft_says_what_its_newest_probe_met() -> None:
    probe = ProbeView(at=START, passed=False, report={"problems": [{"code": "empty", "title": "None."}]})
    words = texts("en")
    assert why(words, view("draft", probes=[probe])) == words["own.problem.empty"]
    assert why(words, view("active", probes=[probe], changes=[change("listed", 2)])) == words["own.reason.listed"]


@pytest.mark.parametrize("language", ["en", "zh", "zh-TW"])
def test_the_servers_own_words_stand_behind_the_text_of_a_problem(language: str) -> None:
    words = texts(language)
    problem = {"code": "request_refused", "title": "No.", "words": "no <b>stream_options</b>"}
    text = fault(words, problem)
    assert text.startswith(words["own.problem.request_refused"])
    assert "no <b>stream_options</b>" in text


@pytest.mark.parametrize("language", ["en", "zh", "zh-TW"])
def test_the_word_of_an_unknown_finish_reason_is_shown_with_its_kind(language: str) -> None:
    words = texts(language)
    assert error_kind(words, "unknown_finish:odd") == f"{words['own.kind.unknown_finish']} (odd)"
    assert error_kind(words, "timed_out") == words["own.kind.timed_out"]


def test_the_abilities_are_named_in_the_language_of_the_reader() -> None:
    assert (
        abilities(texts("en"), view("active", languages=["en", "fr"], vision=True)) == "English, French · reads images"
    )
    assert abilities(texts("en"), view("active")) == "any language"


def test_a_prompt_without_an_answer_says_that_alone_and_one_that_broke_off_what_came_before() -> None:
    words = texts("en")
    nothing = {"kind": "zh", "error": "refused", "first_token_ms": None, "total_ms": 10.0}
    assert prompt_facts(words, nothing) == ["no answer"]
    assert prompt_facts(words, nothing | {"first_token_ms": 400.0})[-1] == "broke off"
    for error in ("stalled", "too_slow", "too_long"):
        late = prompt_facts(words, nothing | {"first_token_ms": 400.0, "error": error})
        assert late[-1] == "not read to its end, as time ran out"
    assert "no answer" not in prompt_facts(words, nothing | {"error": None, "first_token_ms": 400.0})


def test_a_time_too_short_to_show_is_not_said_to_be_none_and_a_fast_answer_not_to_be_unstreamed():
    prompt = {"first_token_ms": 3.2, "total_ms": 4.9, "pieces": 1, "streams": False}
    facts = prompt_facts(texts("en"), prompt)
    assert facts == ["first token under 0.01 s", "total under 0.01 s", "arrived all at once"]


@pytest.mark.parametrize("language", ["en", "zh", "zh-TW"])
def test_every_preset_has_a_name_that_is_no_identifier(language):
    words = texts(language)
    names = [vendor(words, preset.name) for preset in PRESETS]
    assert len(set(names)) == len(PRESETS)
    assert not {preset.name for preset in PRESETS} & set(names) - {"llama.cpp"}
    assert vendor(words, "of-a-package") == "of-a-package"
