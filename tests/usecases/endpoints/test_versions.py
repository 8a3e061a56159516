"""What describes an endpoint changes in place; what makes it another model makes a new version."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import select

from arena.adapters.breaker import Condition
from arena.adapters.store import endpoint_states, envelope_encryption
from arena.adapters.store import endpoints as stored
from arena.adapters.store.tables.endpoints import ChangeRow, CredentialRow, EndpointRow
from arena.domain.errors import (
    ChangedMeanwhile,
    EndpointNotFound,
    Invalid,
    NameTaken,
    ResultsStay,
    UnlistedLimit,
    WrongState,
)
from arena.domain.schemas.endpoints import ChangeRequest
from arena.domain.terms import EndpointState, Outcome
from arena.usecases.endpoints import approval, definition, ownership, versions, views
from arena.usecases.endpoints.ownership import OwnerRules
from arena.usecases.endpoints.states import OPERATOR, Step
from tests.conftest import START

APPROVAL = Step(OPERATOR, "fine", START)


@pytest.fixture
def change(database, by):
    async def change(endpoint_id: int, **fields):
        return await versions.change(database, by, endpoint_id, ChangeRequest(**fields))

    return change


@pytest.fixture
async def two_versions(register, bring, change, pass_probe):
    """An approved version, and the next one, which waits for its approval."""
    old = await register(key="sk-1")
    await bring(old.id, EndpointState.ACTIVE)
    new = await change(old.id, wire_model="eight")
    await pass_probe(new.id)
    return old, new


@pytest.fixture
async def paused_version(database, by, register, bring, change):
    """An approved version that its owner has paused, and the next one."""
    old = await register()
    await bring(old.id, EndpointState.ACTIVE)
    await ownership.steer(database, by, old.id, EndpointState.PAUSED)
    return old, await change(old.id, wire_model="eight")


async def row(database, endpoint_id: int) -> EndpointRow:
    return await database.read(lambda session: session.get(EndpointRow, endpoint_id))


async def reasons(database, endpoint_id: int) -> list[str]:
    query = select(ChangeRow.reason).where(ChangeRow.endpoint_id == endpoint_id).order_by(ChangeRow.number)
    return await database.read(lambda session: list(session.scalars(query)))


@pytest.mark.both_databases
async def test_a_description_changes_in_place_and_the_change_is_written_down(database, register, change):
    old = await register(licence="MIT")
    changed = await change(old.id, licence=None, temperature=0.7, group="small", daily_calls=100)
    assert (changed.id, changed.version, changed.state) == (old.id, 1, "probing")
    assert (changed.licence, changed.temperature, changed.group, changed.daily_calls) == (None, 0.7, "small", 100)
    assert sorted((await reasons(database, old.id))[-1].removeprefix("changed ").split(", ")) == [
        "daily_calls",
        "group",
        "licence",
        "temperature",
    ]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "nothing to change"),
        ({"wire_model": None}, "wire_model: cannot be empty"),
        ({"url": None}, "url: cannot be empty"),
        ({"listed": True, "aliases": ["x" * 61]}, "aliases: "),
        ({"url": "https://10.0.0.1/v1"}, "only the operator"),
        ({"preset": "opnai"}, "preset: one of "),
        ({"dialect": "klingon"}, "dialect: one of "),
        ({"link": "ftp://acme.example"}, "link: "),
    ],
)
async def test_a_change_that_does_not_fit_is_named_and_nothing_changes(database, register, change, fields, words):
    old = await register(licence="MIT")
    with pytest.raises(Invalid) as refused:
        await change(old.id, **fields)
    assert words in str(refused.value)
    assert (await reasons(database, old.id))[-1] == "to be probed"


@pytest.mark.parametrize(
    "fields",
    [
        {"wire_model": "eight"},
        {"url": "https://api.acme.example/v2"},
        {"dialect": "anthropic"},
        {"preset": "deepseek"},
        {"wire_model": "eight", "licence": "MIT"},
    ],
)
async def test_what_makes_it_another_model_makes_a_new_version(database, register, change, bring, fields):
    old = await register(group="small")
    await bring(old.id, EndpointState.ACTIVE)
    new = await change(old.id, **fields)
    assert (new.name, new.family, new.version, new.state, new.group) == ("acme-7b v2", "acme-7b", 2, "probing", "small")
    assert {field: getattr(new, field) for field in fields} == fields
    assert (await reasons(database, old.id))[-1] == "acme-7b v2 is its next version, and takes its place when approved"
    assert (await reasons(database, new.id))[0] == "next version of acme-7b"


async def test_an_approved_version_plays_on_with_its_key_until_the_next_one_is_approved(
    database, keyring, two_versions
):
    def key(session, endpoint_id: int) -> str | None:
        return envelope_encryption.take(session, keyring, endpoint_id, "https://api.acme.example:443")

    old, new = two_versions
    assert [(await row(database, number)).state for number in (old.id, new.id)] == ["active", "pending"]
    assert [await database.read(key, number) for number in (old.id, new.id)] == ["sk-1", "sk-1"]
    await approval.approve(database, new.id, APPROVAL)
    assert [(await row(database, number)).state for number in (old.id, new.id)] == ["retired", "active"]
    assert [await database.read(key, number) for number in (old.id, new.id)] == [None, "sk-1"]
    assert (await reasons(database, old.id))[-1] == "replaced by acme-7b v2"


async def test_a_version_that_is_approved_automatically_takes_the_place_of_the_earlier_one(
    database, register, change, bring, pass_probe
):
    old = await register()
    await bring(old.id, EndpointState.ACTIVE)
    new = await change(old.id, wire_model="eight")
    await pass_probe(new.id, OwnerRules(approval="auto"))
    assert [(await row(database, number)).state for number in (old.id, new.id)] == ["retired", "active"]


@pytest.mark.parametrize("rules", [OwnerRules(), OwnerRules(approval="auto")])
async def test_a_version_of_a_paused_model_stays_paused_when_it_is_approved(
    database, by, paused_version, pass_probe, rules
):
    old, new = paused_version
    assert new.joins_paused
    await pass_probe(new.id, rules)
    if rules.approval == "operator":
        await approval.approve(database, new.id, APPROVAL)
    assert [(await row(database, number)).state for number in (old.id, new.id)] == ["retired", "paused"]
    assert (await reasons(database, new.id))[-1] == "paused as acme-7b was, which it replaces"
    await ownership.steer(database, by, new.id, EndpointState.ACTIVE)
    assert (await row(database, new.id)).state is EndpointState.ACTIVE


async def test_a_version_that_was_never_approved_retires_when_the_next_one_is_made(database, register, change):
    old = await register()
    new = await change(old.id, wire_model="eight")
    assert [(await row(database, number)).state for number in (old.id, new.id)] == ["retired", "probing"]


@pytest.mark.both_databases
async def test_a_next_version_that_retires_leaves_room_for_another(database, by, register, change, bring):
    old = await register()
    await bring(old.id, EndpointState.ACTIVE)
    second = await change(old.id, wire_model="eight")
    with pytest.raises(WrongState, match="'acme-7b v2' is the newest version of 'acme-7b'; please change that one"):
        await change(old.id, wire_model="nine")
    await ownership.steer(database, by, second.id, EndpointState.RETIRED)
    assert (await change(old.id, wire_model="nine")).name == "acme-7b v3"
    assert (await row(database, old.id)).state is EndpointState.ACTIVE


@pytest.mark.both_databases
async def test_changes_that_wait_when_a_version_is_replaced_wait_on_for_the_next_one(
    database, register, change, bring, pass_probe
):
    old = await register()
    await bring(old.id, EndpointState.ACTIVE)
    await change(old.id, licence="MIT")
    new = await change(old.id, wire_model="eight")
    assert (new.licence, (await row(database, old.id)).pending) == ("MIT", None)
    await change(old.id, link="https://acme.example/", licence="MIT")
    await pass_probe(new.id)
    await approval.approve(database, new.id, APPROVAL)
    assert [(await row(database, number)).pending for number in (old.id, new.id)] == [
        None,
        {"link": "https://acme.example/"},
    ]


@pytest.mark.both_databases
@pytest.mark.parametrize("of_the_new_one", [True, False])
async def test_an_approval_while_the_owner_changes_the_model_again_is_one_sentence_and_nothing_is_lost(
    database, by, change, two_versions, of_the_new_one
):
    old, new = two_versions
    revision = await database.read(endpoint_states.revision, new.id)
    target = new.id if of_the_new_one else old.id
    outcomes = await asyncio.gather(
        approval.approve(database, new.id, APPROVAL, revision),
        change(target, wire_model="nine"),
        return_exceptions=True,
    )
    refused = [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    assert all(isinstance(error, ChangedMeanwhile | WrongState) and str(error) for error in refused)
    rows = await database.read(stored.of_owner, by.owner)
    states = {endpoint.wire_model: str(endpoint.state) for endpoint in rows}
    playing = [wire_model for wire_model, state in states.items() if state == "active"]
    assert len(playing) == 1
    changed = not isinstance(outcomes[1], Exception)
    assert states.get("nine", "") == ("probing" if changed else "")
    assert playing == (["seven"] if isinstance(outcomes[0], Exception) else ["eight"])


@pytest.mark.both_databases
async def test_the_same_address_again_is_no_new_version(register, change):
    old = await register()
    same = await change(old.id, url=old.url, wire_model=old.wire_model, dialect=old.dialect, licence="MIT")
    assert (same.id, same.version, same.licence) == (old.id, 1, "MIT")


@pytest.mark.both_databases
async def test_a_new_path_keeps_key_and_proof_and_a_new_host_loses_both(database, keyring, register, change):
    first = await register(key="sk-1")

    def proved(session) -> None:
        stored.locked(session, first.id).proven_at = START

    await database.write(proved)
    second = await change(first.id, url="https://api.acme.example/v2")
    assert (second.proven, second.has_key) == (True, True)
    assert await database.read(envelope_encryption.take, keyring, second.id, second.key_origin) == "sk-1"
    third = await change(second.id, url="https://api.acme.example.evil.example/v2")
    assert (third.version, third.proven, third.has_key, third.key_origin) == (3, False, False, None)
    assert await database.read(lambda session: list(session.scalars(select(CredentialRow.endpoint_id)))) == []
    challenges = [(await row(database, version.id)).challenge for version in (first, second, third)]
    assert challenges[0] == challenges[1] != challenges[2]


async def test_only_the_newest_version_has_a_next_one(register, change):
    old = await register()
    await change(old.id, wire_model="eight")
    with pytest.raises(WrongState, match="'acme-7b v2' is the newest version"):
        await change(old.id, wire_model="nine")


async def test_an_earlier_version_names_the_newest_one(database, register, change):
    versions_ = [await register()]
    for wire_model in ("eight", "nine"):
        versions_.append(await change(versions_[-1].id, wire_model=wire_model))

    def newer(session) -> list[tuple[int, str] | None]:
        rows = [session.get(EndpointRow, version.id) for version in versions_]
        views_ = [views.detail(session, row, START, Condition()).newer for row in rows]
        return [view and (view.id, view.name) for view in views_]

    newest = versions_[-1].id, "acme-7b v3"
    assert await database.read(newer) == [newest, newest, None]


async def test_a_retired_model_has_no_next_version(database, by, register, change):
    old = await register()
    await ownership.steer(database, by, old.id, EndpointState.RETIRED)
    with pytest.raises(WrongState, match="no next version"):
        await change(old.id, wire_model="eight")


async def test_what_the_operator_suspended_does_not_come_back_as_a_new_version(database, register, change, bring):
    old = await register()
    await bring(old.id, EndpointState.SUSPENDED)
    with pytest.raises(WrongState, match="operator has suspended"):
        await change(old.id, wire_model="eight")


@pytest.mark.both_databases
async def test_of_many_new_versions_at_once_one_is_made(database, by, register, change):
    old = await register()
    results = await asyncio.gather(*(change(old.id, wire_model=f"m{n}") for n in range(5)), return_exceptions=True)
    assert sorted(isinstance(result, WrongState) for result in results) == [False] + [True] * 4
    assert len(await database.read(stored.of_owner, by.owner)) == 2


@pytest.mark.both_databases
async def test_a_name_of_a_version_that_somebody_has_is_said(database, register, change):
    old = await register()
    other = await register(name="other")

    def rename(session) -> None:
        stored.locked(session, other.id).name = "acme-7b v2"

    await database.write(rename)
    with pytest.raises(NameTaken):
        await change(old.id, wire_model="eight")
    assert (await row(database, old.id)).state is EndpointState.PROBING


async def test_a_foreign_endpoint_is_not_changed(database, register, change):
    old = await register()
    with pytest.raises(EndpointNotFound):
        await change(old.id + 1, licence="MIT")


async def test_a_new_version_of_an_unlisted_variant_is_one_more(register, change):
    variants = [await register(name=f"variant {letter}", listed=False) for letter in "abc"]
    with pytest.raises(UnlistedLimit):
        await change(variants[0].id, wire_model="eight")
    assert (await change(variants[0].id, wire_model="eight", listed=True)).listed


async def test_results_leave_the_board_only_while_they_are_few(database, by, register, change, vote_on):
    old = await register()
    await vote_on(old.id, *[Outcome.A] * 199)
    assert not (await change(old.id, listed=False)).listed
    assert (await change(old.id, listed=True)).listed
    assert (await reasons(database, old.id))[-2:] == ["taken off the board", "listed by its owner"]
    await vote_on(old.id, Outcome.TIE, side="b")
    with pytest.raises(ResultsStay):
        await change(old.id, listed=False)
    await ownership.steer(database, by, old.id, EndpointState.RETIRED)
    with pytest.raises(ResultsStay):
        await change(old.id, listed=False)


async def test_a_variant_with_enough_votes_is_listed_by_itself(database, register, vote_on):
    few, enough = [await register(name=name, listed=False) for name in ("few", "enough")]
    await vote_on(few.id, *[Outcome.A] * 199)
    await vote_on(enough.id, *[Outcome.A] * 200)
    names, last = await definition.list_settled(database, START)
    assert names == ["enough"]
    assert await definition.list_settled(database, START) == ([], last)
    assert await definition.list_settled(database, START, last) == ([], last)
    assert (await row(database, enough.id)).listed
    assert not (await row(database, few.id)).listed
    assert (await reasons(database, enough.id))[-1] == "listed: it has 200 counted votes"


async def test_a_look_for_settled_variants_counts_the_votes_of_those_alone_that_have_new_ones(
    database, register, vote_on, monkeypatch
):
    """However many variants are unlisted, since a worker looks every few seconds."""
    looks, count_votes = [], definition.track_records.count_votes

    def noted(session, number):
        looks.append(number)
        return count_votes(session, number)

    first, second, third = [await register(name=name, listed=False) for name in ("first", "second", "third")]
    await vote_on(first.id, Outcome.A)
    monkeypatch.setattr(definition.track_records, "count_votes", noted)
    _, last = await definition.list_settled(database, START)
    assert sorted(looks) == [first.id, second.id, third.id]
    looks.clear()
    assert await definition.list_settled(database, START, last) == ([], last)
    await vote_on(third.id, Outcome.A)
    await definition.list_settled(database, START, last)
    assert looks == [third.id]


async def test_a_fourth_variant_is_not_taken_off_the_board(register, change):
    listed = await register()
    for letter in "abc":
        await register(name=f"variant {letter}", listed=False)
    with pytest.raises(UnlistedLimit):
        await change(listed.id, listed=False)
