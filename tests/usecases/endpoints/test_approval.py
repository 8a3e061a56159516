"""What an owner may change of an approved endpoint by themselves, and what waits for the operator."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from arena.adapters.store import endpoint_states as stored
from arena.adapters.store.tables.conversations import ReplyRow, TurnRow
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.domain.errors import (
    AliasCommon,
    AliasUncounts,
    ChangedMeanwhile,
    Invalid,
    NameTaken,
    NothingPending,
    OwnerTaken,
    ResultsStay,
)
from arena.domain.schemas.endpoints import ChangeRequest
from arena.domain.terms import EndpointState, Outcome, Side, TurnState
from arena.usecases.endpoints import approval, definition, ownership, registration, versions, views
from arena.usecases.endpoints.approval import passed
from arena.usecases.endpoints.ownership import By, OwnerRules
from arena.usecases.endpoints.registration import NewEndpoint
from arena.usecases.endpoints.states import Step
from arena.usecases.people import owners
from arena_providers.terms import Finish
from tests.conftest import START
from tests.row_factories import battle_row, endpoint_row, vote_row

STEP = Step("operator", "looked at", START + timedelta(hours=1))
PUBLIC = [
    {"link": "https://elsewhere.example/ad"},
    {"description_en": "Buy now"},
    {"description_zh": "快来买"},
    {"licence": "MIT"},
    {"billions": 700.0},
    {"context_tokens": 131_072},
    {"price_in": 0.3},
    {"price_out": 1.2},
    {"energy": 0.4},
    {"open_weights": True},
    {"group": "large"},
    {"listed": False},
    {"aliases": ["Heron"]},
    {"languages": ["en", "zh"]},
]


@pytest.fixture
def change(database, by):
    async def change(endpoint_id: int, who: By = by, **fields):
        return await versions.change(database, who, endpoint_id, ChangeRequest(**fields))

    return change


@pytest.fixture
async def active(register, bring) -> int:
    endpoint_id = (await register()).id
    await bring(endpoint_id, EndpointState.ACTIVE)
    return endpoint_id


async def row(database, endpoint_id: int) -> EndpointRow:
    return await database.read(lambda session: session.get(EndpointRow, endpoint_id))


@pytest.mark.parametrize("state", [EndpointState.ACTIVE, EndpointState.PAUSED, EndpointState.RETIRED])
@pytest.mark.parametrize("fields", PUBLIC, ids=lambda fields: next(iter(fields)))
async def test_what_the_public_sees_of_an_approved_endpoint_waits_for_the_operator(
    database, active, bring, change, fields, state
):
    before = await change(active, daily_calls=9)
    await bring(active, state)
    after = await change(active, **fields)
    assert (after.pending, after.state) == (fields, state)
    assert after.model_dump(exclude={"pending", "state"}) == before.model_dump(exclude={"pending", "state"})
    await approval.approve_changes(database, active, STEP)
    now = await database.read(lambda session: views.view(session, session.get(EndpointRow, active)))
    assert (now.model_dump(include=set(fields)), now.pending) == (fields, {})


@pytest.mark.both_databases
async def test_what_the_operator_refuses_stays_as_it_was_and_the_owner_reads_why(database, active, change):
    await change(active, link="https://elsewhere.example/ad", licence="MIT")
    await approval.refuse_changes(database, active, replace(STEP, why="it is an advert"))
    stored_row = await row(database, active)
    assert (stored_row.link, stored_row.licence, stored_row.pending) == (None, None, None)
    assert (await database.read(stored.state_changes, active))[0].reason == "it is an advert"
    for act in (approval.approve_changes, approval.refuse_changes):
        with pytest.raises(NothingPending):
            await act(database, active, STEP)


async def test_a_change_that_waits_is_added_to_and_taken_back(active, change):
    await change(active, link="https://a.example", licence="MIT")
    assert (await change(active, licence="Apache-2.0")).pending == {
        "link": "https://a.example",
        "licence": "Apache-2.0",
    }
    assert (await change(active, licence=None)).pending == {"link": "https://a.example"}
    assert (await change(active, link=None)).pending == {}


async def test_an_owner_withdraws_without_asking_anybody(database, by, active, change):
    await change(active, link="https://a.example")
    assert (await ownership.steer(database, by, active, EndpointState.PAUSED)).state is EndpointState.PAUSED
    assert (await change(active, daily_calls=1, daily_tokens=2)).daily_tokens == 2
    assert (await ownership.steer(database, by, active, EndpointState.RETIRED)).state is EndpointState.RETIRED


@pytest.mark.parametrize("fields", [*PUBLIC, {"temperature": 0.5}], ids=lambda fields: next(iter(fields)))
async def test_before_its_first_approval_an_endpoint_changes_freely(register, change, fields):
    view = await register()
    changed = await change(view.id, **fields)
    assert (changed.id, changed.pending, changed.model_dump(include=set(fields))) == (view.id, {}, fields)


@pytest.mark.parametrize("fields", PUBLIC, ids=lambda fields: next(iter(fields)))
async def test_where_approval_is_automatic_changes_are_too(by, active, change, fields):
    changed = await change(active, replace(by, rules=OwnerRules(approval="auto")), **fields)
    assert (changed.id, changed.pending, changed.model_dump(include=set(fields))) == (active, {}, fields)


@pytest.mark.parametrize(
    "fields", [{"system_prompt": "Be brief."}, {"temperature": 0.5}, {"top_p": 0.5}, {"max_tokens": 100}]
)
async def test_what_changes_the_competitor_is_a_new_version_that_is_probed_and_approved_anew(
    database, active, change, fields
):
    await change(active, licence="MIT")
    new = await change(active, **fields)
    assert (new.version, new.state, new.licence, new.model_dump(include=set(fields))) == (2, "probing", "MIT", fields)
    old = await row(database, active)
    assert (old.state, old.pending, getattr(old, *fields)) == (EndpointState.ACTIVE, None, None)
    assert (await change(new.id, **fields)).id == new.id


@pytest.mark.both_databases
async def test_an_approval_is_of_what_the_operator_has_seen(database, active, change, register, pass_probe):
    await change(active, licence="MIT")
    revision = await database.read(stored.revision, active)
    await change(active, link="https://elsewhere.example/ad")
    for decide in (approval.approve_changes, approval.refuse_changes):
        with pytest.raises(ChangedMeanwhile):
            await decide(database, active, STEP, revision)
    found = await row(database, active)
    assert (found.licence, set(found.pending)) == (None, {"licence", "link"})  # pyright: ignore[reportArgumentType]
    waits = (await register(name="waits")).id
    await pass_probe(waits)
    revision = await database.read(stored.revision, waits)
    await change(waits, link="https://elsewhere.example/ad")
    with pytest.raises(ChangedMeanwhile):
        await approval.approve(database, waits, STEP, revision)
    await approval.approve(database, waits, STEP, await database.read(stored.revision, waits))


async def test_results_that_became_many_while_a_change_waited_stay_on_the_board(database, active, change, vote_on):
    await change(active, listed=False)
    await vote_on(active, *[Outcome.A] * 200)
    with pytest.raises(ResultsStay):
        await approval.approve_changes(database, active, STEP)
    assert (await row(database, active)).listed


@pytest.mark.parametrize("word", ["of the", "I am", "sorry", "123", "一", "一个", "!!!"])
async def test_a_common_word_is_no_alias_at_registration_or_later(register, change, active, word):
    for act in (lambda: register(name="new", aliases=["Seven", word]), lambda: change(active, aliases=[word])):
        with pytest.raises(AliasCommon, match="aliases: "):
            await act()


def fought(session, endpoint_id: int, answers: list[str], other_says: str = "I am Crane.") -> None:
    """Counted votes on these answers of an endpoint against another that always says the same."""
    other = endpoint_row(f"other-{endpoint_id}", owner_id=session.get(EndpointRow, endpoint_id).owner_id)
    session.add(other)
    session.flush()
    for number, answer in enumerate(answers):
        battle = f"battle-{endpoint_id}-{number}"
        sides = {Side.A: (endpoint_id, answer), Side.B: (other.id, other_says)}
        turn = TurnRow(number=1, prompt="Hi", state=TurnState.READY, started_at=START, deadline_at=START)
        turn.replies = [
            ReplyRow(endpoint_id=who, generation=0, side=side, text=text, finish=Finish.STOP, total_ms=1)
            for side, (who, text) in sides.items()
        ]
        session.add(battle_row(battle, endpoint_id, other.id, turns=[turn]))
        session.flush()
        session.add(vote_row(battle, endpoint_id, other.id, battle_id=battle, voter_key=f"v{number}"))


async def test_an_alias_that_would_have_uncounted_more_than_two_percent_of_past_votes_is_refused_with_the_figure(
    database, active, change
):
    answers = ["I am Quux."] * 3 + ["I am Heron."] * 2 + ["Hello."] * 95
    await database.write(fought, active, answers)
    with pytest.raises(AliasUncounts, match=r"Quux would have left 3 of the last 100 votes uncounted \(3\.0%\); 2% at"):
        await change(active, aliases=["Quux"])
    assert (await change(active, aliases=["Heron", "Zed"])).pending == {"aliases": ["Heron", "Zed"]}
    version = await change(active, max_tokens=100)
    with pytest.raises(AliasUncounts, match="Quux"):
        await change(version.id, aliases=["Quux"])


async def test_votes_that_came_while_an_alias_waited_count_at_its_approval(database, active, change):
    await change(active, aliases=["Quux"])
    await database.write(fought, active, ["I am Quux."] * 3 + ["Hello."] * 97)
    with pytest.raises(AliasUncounts):
        await approval.approve_changes(database, active, STEP)
    assert (await row(database, active)).aliases == []


ORDINARY = "In New York, de la Cruz wrote: import numpy as np."


async def test_aliases_that_are_in_more_than_one_percent_of_other_models_answers_are_refused_with_the_figure(
    database, active, change
):
    await database.write(fought, active, ["Hello."] * 60, "Acme of Ohio sells anvils.")
    match = r"Acme of Ohio are in 60 of the last 60 answers of other models \(100\.0%\); 1% at most"
    with pytest.raises(AliasUncounts, match=match):
        await change(active, aliases=["Acme of Ohio"])
    assert (await change(active, aliases=["Acme Heron"])).pending == {"aliases": ["Acme Heron"]}


async def test_an_alias_of_ordinary_words_takes_no_vote_from_the_count(database, active, change):
    await database.write(fought, active, [ORDINARY] * 60, ORDINARY)
    fields = {"aliases": ["de la", "New York", "import numpy"]}
    assert (await change(active, **fields)).pending == fields


async def test_names_that_other_models_say_often_are_refused_at_the_approval(database, register, bring, by):
    endpoint_id = (await register(name="anvil-acme", aliases=["Acme of Ohio"])).id
    await bring(endpoint_id, EndpointState.PENDING)
    await database.write(fought, endpoint_id, ["Hello."] * 60, "Acme of Ohio sells anvils.")
    with pytest.raises(AliasUncounts):
        await approval.approve(database, endpoint_id, STEP)
    assert (await row(database, endpoint_id)).state is EndpointState.PENDING


@pytest.mark.parametrize("name", ["gpt-5-turbo", "DeepSeek-V9", "0penAI-7b"])
async def test_a_well_known_name_waits_for_the_operator_even_where_approval_is_automatic(
    database, register, bring, name
):
    endpoint_id = (await register(name=name)).id
    await bring(endpoint_id, EndpointState.PROBING)
    await database.write(approve_after_probe, endpoint_id)
    assert (await row(database, endpoint_id)).state is EndpointState.PENDING
    await approval.approve(database, endpoint_id, STEP)
    assert (await row(database, endpoint_id)).state is EndpointState.ACTIVE


def approve_after_probe(session, endpoint_id: int) -> None:
    passed(session, session.get(EndpointRow, endpoint_id), OwnerRules(approval="auto"), "health", START)


@pytest.mark.parametrize("length", [61, 200])
async def test_an_alias_of_too_many_characters_is_one_clear_sentence(length):
    with pytest.raises(Invalid, match="aliases: 1 to 60 printable characters"):
        ChangeRequest(aliases=["x" * length])


FINE = {"name": "fine", "owner": "Fine Labs", "url": "https://fine.example/v1", "wire_model": "m"}
NAMES = (
    "a/b",
    "a\\b",
    ".",
    "..",
    ".a",
    "a.",
    "a\u200bb",
    "a\u3164b",
    "a\u2800",
    "\ufe0fa",
    "a\u202eb",
    "a\x07b",
    "!?",
    "\u3164",
)


@pytest.mark.parametrize("name", NAMES)
async def test_a_name_that_cannot_be_seen_or_stand_in_an_address_is_refused_everywhere(database, register, name):
    with pytest.raises(Invalid, match="name: "):
        await register(name=name)
    with pytest.raises(Invalid, match="name: "):
        await owners.sign_up(database, name, "c", START)
    for field in ("name", "owner"):
        with pytest.raises(Invalid, match=f"{field}: "):
            NewEndpoint.model_validate(FINE | {field: name})


async def test_a_look_alike_is_refused_to_the_operator_too(database, register):
    await register(name="heron-10")
    new = FINE | {"owner": "Acme"}
    with pytest.raises(NameTaken, match="looks like 'heron-10'"):
        await registration.register_as_operator(database, NewEndpoint.model_validate(new | {"name": "Heron 1O"}), START)
    with pytest.raises(OwnerTaken, match="looks like 'Acme'"):
        await registration.register_as_operator(database, NewEndpoint.model_validate(new | {"owner": "Аcmé"}), START)
    await registration.register_as_operator(database, NewEndpoint.model_validate(new), START)


async def test_the_operator_is_warned_of_well_known_names_that_are_not_the_servers_own(database, register, change):
    fake = await register(name="0penAI-5", aliases=["Claude"])
    real = await register(name="deepseek-9", url=None, preset="deepseek")

    def warned(session, number: int) -> set[tuple[str, str]]:
        return {(warning.field, warning.vendor) for warning in definition.warnings(session.get(EndpointRow, number))}

    assert await database.read(warned, fake.id) == {("name", "OpenAI"), ("aliases", "Anthropic")}
    assert await database.read(warned, real.id) == set()
