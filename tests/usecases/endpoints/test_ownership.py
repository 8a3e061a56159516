"""What owners may do with their endpoints, and what they may not."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select

from arena.adapters.store import endpoints as stored
from arena.adapters.store import envelope_encryption
from arena.adapters.store.keyring import Keyring
from arena.adapters.store.tables.endpoints import ChangeRow, CredentialRow, EndpointRow
from arena.domain.errors import Invalid, KeysNotAccepted, NameTaken, UnlistedLimit, WrongState
from arena.domain.terms import EndpointState
from arena.usecases.endpoints import approval, ownership, states
from arena.usecases.endpoints.ownership import By, OwnerRules
from arena.usecases.endpoints.states import Step
from arena.usecases.people import owners
from arena_providers.transport.egress import Policy
from tests.conftest import START


async def steps(database, endpoint_id: int) -> list[tuple[str | None, str, str]]:
    def work(session):
        rows = session.scalars(select(ChangeRow).where(ChangeRow.endpoint_id == endpoint_id).order_by(ChangeRow.number))
        return [(row.before, row.after, row.actor) for row in rows]

    return await database.read(work)


async def state(database, endpoint_id: int) -> EndpointState:
    return await database.read(lambda session: session.get(EndpointRow, endpoint_id).state)


async def test_a_new_endpoint_is_probed_and_every_step_says_who(database, by, register):
    view = await register(licence="MIT", group="small", aliases=["Acme Seven"])
    assert (view.state, view.version, view.family, view.proven, view.has_key) == ("probing", 1, "acme-7b", False, False)
    assert (view.licence, view.group, view.aliases, view.listed) == ("MIT", "small", ["Acme Seven"], True)
    owner = f"owner:{by.owner}"
    assert await steps(database, view.id) == [(None, "draft", owner), ("draft", "probing", owner)]


async def test_a_preset_fills_in_address_dialect_and_aliases(register):
    view = await register(url=None, preset="anthropic")
    assert (view.preset, view.dialect, view.url) == ("anthropic", "anthropic", "https://api.anthropic.com/v1")
    assert "Claude" in view.aliases


async def test_a_key_is_sealed_for_its_origin_and_kept_in_no_view(database, keyring, register):
    view = await register(key="sk-canary-1\n")
    assert (view.has_key, view.key_origin) == (True, "https://api.acme.example:443")
    assert "sk-canary-1" not in view.model_dump_json()
    assert await database.read(envelope_encryption.take, keyring, view.id, view.key_origin) == "sk-canary-1"


async def test_where_the_operator_keeps_no_keys_nothing_of_an_endpoint_with_one_is_kept(database, by, register):
    with pytest.raises(KeysNotAccepted):
        await register(replace(by, keyring=Keyring()), key="sk-canary-1")
    assert await database.read(stored.of_owner, by.owner) == []


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        *(({"name": name}, "name: ") for name in ("", " a", "a" * 73, "a\u202eb", "acme v2", "acme V10")),
        *(({"wire_model": name}, "wire_model: ") for name in ("", " ", "m" * 201, "a\nb")),
        ({"url": None}, "url: give an address"),
        *(({"url": url}, "url: ") for url in ("", "acme", "ftp://acme.example", "https://u:p@acme.example/v1")),
        *(
            ({"url": url}, "only the operator")
            for url in (
                *("http://api.acme.example/v1", "https://api.acme.example:8443/v1", "https://127.0.0.1/v1"),
                *("https://localhost/v1", "https://10.0.0.5/v1", "https://[::1]/v1", "https://gpu.internal/v1"),
                *("https://169.254.169.254/latest", "https://2130706433/v1", "https://0x7f.1/v1"),
            )
        ),
        ({"url": "https://acme.example/" + "x" * 500}, "url: "),
        ({"preset": "opnai", "url": None}, "preset: one of openai, "),
        ({"preset": "ollama", "url": None}, "only the operator"),
        ({"dialect": "klingon"}, "dialect: one of openai_chat, "),
        ({"link": "javascript:alert(1)"}, "link: "),
        ({"licence": "x" * 81}, "licence: "),
        ({"group": "x" * 41}, "group: "),
        ({"description_en": "x" * 501}, "description_en: "),
        ({"description_zh": "a\tb"}, "description_zh: "),
        ({"aliases": ["a"] * 21}, "aliases: "),
        ({"aliases": ["x" * 61]}, "aliases: "),
        ({"system_prompt": "x" * 4_001}, "system_prompt: "),
        ({"system_prompt": "a\0b"}, "system_prompt: "),
        ({"temperature": 5.1}, "temperature: "),
        ({"top_p": float("nan")}, "top_p: "),
        ({"max_tokens": 0}, "max_tokens: "),
        ({"billions": -1}, "billions: "),
        ({"context_tokens": 0}, "context_tokens: "),
        ({"price_in": -0.1}, "price_in: "),
        ({"price_out": float("inf")}, "price_out: "),
        ({"energy": float("nan")}, "energy: "),
        ({"daily_calls": 0}, "daily_calls: "),
        ({"daily_tokens": 2**31}, "daily_tokens: "),
        ({"key": " "}, "key: "),
        ({"key": "käse"}, "key: "),
        ({"key": "a\nb"}, "key: "),
        ({"key": "x" * 4_001}, "key: "),
    ],
)
async def test_a_field_that_does_not_fit_is_named_and_nothing_is_kept(database, by, register, fields, words):
    with pytest.raises(Invalid) as refused:
        await register(**fields)
    assert words in str(refused.value)
    assert await database.read(stored.of_owner, by.owner) == []


async def test_what_the_operator_has_opened_is_no_private_address_any_more(by, register):
    opened = replace(by, rules=OwnerRules(policy=Policy.parse("127.0.0.1:11434")))
    assert (await register(opened, url=None, preset="ollama")).url == "http://127.0.0.1:11434"


@pytest.mark.parametrize("name", ["acme-7b", "ACME 7B", "acme_7b", "асme-7b", "a\u00adcme-7b".replace("\u00ad", "")])
async def test_a_name_and_what_looks_like_it_are_taken_once(register, name):
    await register()
    with pytest.raises(NameTaken):
        await register(name=name)


@pytest.mark.both_databases
async def test_of_names_that_look_alike_one_is_taken_even_at_once(register):
    names = ("acme-7b", "ACME 7B", "acme_7b", "Acme7b", "асme-7b")
    results = await asyncio.gather(*(register(name=name) for name in names), return_exceptions=True)
    assert sorted(isinstance(result, NameTaken) for result in results) == [False] + [True] * 4


@pytest.mark.both_databases
async def test_a_built_in_model_takes_no_key(database, by, register):
    endpoint_id = (await register()).id

    def build_in(session) -> None:
        row = stored.locked(session, endpoint_id)
        row.demo, row.url = True, ""

    await database.write(build_in)
    with pytest.raises(WrongState, match="built-in"):
        await ownership.set_key(database, by, endpoint_id, "sk-1")
    await ownership.drop_key(database, by, endpoint_id)


async def test_a_passed_probe_waits_for_the_operator_or_goes_on_by_itself(database, by, register, pass_probe):
    waits, goes = (await register()).id, (await register(name="goes")).id
    await pass_probe(waits)
    await pass_probe(goes, OwnerRules(approval="auto"))
    assert (await state(database, waits), await state(database, goes)) == ("pending", "active")
    await approval.approve(database, waits, Step("operator", "fine", START))
    assert await state(database, waits) is EndpointState.ACTIVE
    assert (await steps(database, waits))[-2:] == [("probing", "pending", "health"), ("pending", "active", "operator")]


@pytest.mark.parametrize("before", sorted(set(EndpointState) - {EndpointState.PENDING}))
async def test_only_what_waits_for_it_is_approved(database, register, bring, before):
    endpoint_id = (await register()).id
    await bring(endpoint_id, before)
    with pytest.raises(WrongState):
        await approval.approve(database, endpoint_id, Step("operator", "fine", START))
    assert await state(database, endpoint_id) is before


MAY = {
    EndpointState.PAUSED: {"active", "paused"},
    EndpointState.ACTIVE: {"paused", "active"},
    EndpointState.RETIRED: {"draft", "probing", "pending", "active", "paused", "suspended", "retired"},
}


@pytest.mark.parametrize("after", MAY)
@pytest.mark.parametrize("before", sorted(EndpointState))
async def test_an_owner_pauses_resumes_and_retires_from_these_states_only(database, by, register, bring, before, after):
    endpoint_id = (await register()).id
    await bring(endpoint_id, before)
    if before in MAY[after]:
        assert (await ownership.steer(database, by, endpoint_id, after)).state is after
    else:
        with pytest.raises(WrongState):
            await ownership.steer(database, by, endpoint_id, after)
        assert await state(database, endpoint_id) is before


@pytest.mark.both_databases
async def test_a_retired_endpoint_says_that_it_does_not_come_back(database, by, register):
    endpoint_id = (await register(key="sk-1")).id
    assert not (await ownership.steer(database, by, endpoint_id, EndpointState.RETIRED)).has_key
    with pytest.raises(WrongState, match="does not come back; please register a new one"):
        await ownership.steer(database, by, endpoint_id, EndpointState.ACTIVE)
    with pytest.raises(WrongState, match="takes no key"):
        await ownership.set_key(database, by, endpoint_id, "sk-2")
    assert await database.read(lambda session: session.get(CredentialRow, endpoint_id)) is None


@pytest.mark.parametrize("before", sorted(EndpointState))
async def test_a_probe_is_for_what_does_not_take_part(database, by, register, bring, before):
    endpoint_id = (await register()).id
    await bring(endpoint_id, before)
    if before in {"draft", "probing", "pending"}:
        assert (await ownership.probe(database, by, endpoint_id)).state is EndpointState.PROBING
    else:
        with pytest.raises(WrongState):
            await ownership.probe(database, by, endpoint_id)
        assert await state(database, endpoint_id) is before


async def test_what_health_suspended_may_be_probed_whatever_was_changed_since(database, by, register, bring):
    endpoint_id = (await register()).id
    await bring(endpoint_id, EndpointState.ACTIVE)
    by_health = Step("health", "error share 12 %", START)
    await states.set_state(database, "acme-7b", EndpointState.SUSPENDED, by_health)
    await bring(endpoint_id, EndpointState.SUSPENDED)
    assert (await ownership.probe(database, by, endpoint_id)).state is EndpointState.PROBING


@pytest.mark.both_databases
async def test_a_double_order_to_probe_is_one_step(database, by, register, bring):
    endpoint_id = (await register()).id
    await bring(endpoint_id, EndpointState.DRAFT)
    before = len(await steps(database, endpoint_id))
    await asyncio.gather(*(ownership.probe(database, by, endpoint_id) for _ in range(5)))
    assert len(await steps(database, endpoint_id)) == before + 1


@pytest.mark.both_databases
async def test_the_key_is_replaced_and_dropped(database, by, keyring, register):
    view = await register(key="sk-1")
    await ownership.set_key(database, by, view.id, "sk-2")
    assert await database.read(envelope_encryption.take, keyring, view.id, view.key_origin) == "sk-2"
    await ownership.drop_key(database, by, view.id)
    await ownership.drop_key(database, by, view.id)
    assert await database.read(envelope_encryption.take, keyring, view.id, view.key_origin) is None


async def test_a_fourth_unlisted_variant_is_one_too_many(database, by, register):
    variants = [await register(name=f"variant {letter}", listed=False) for letter in "abc"]
    with pytest.raises(UnlistedLimit):
        await register(name="variant d", listed=False)
    await ownership.steer(database, by, variants[0].id, EndpointState.RETIRED)
    with pytest.raises(UnlistedLimit):
        await register(name="variant d", listed=False)
    await register(name="variant d")
    later = replace(by, now=START + timedelta(days=91))
    await register(later, name="variant e", listed=False)


async def test_other_owners_variants_do_not_count(database, by, register):
    for letter in "abc":
        await register(name=f"variant {letter}", listed=False)
    other = await owners.sign_up(database, "Other", "c", START)
    await register(By(other.id, by.rules, by.keyring, START), name="variant d", listed=False)
    assert [row.name for row in await database.read(stored.of_owner, other.id)] == ["variant d"]


@pytest.mark.both_databases
async def test_of_many_unlisted_variants_at_once_three_are_let_in(database, by, register):
    results = await asyncio.gather(*(register(name=f"v-{n}-x", listed=False) for n in range(8)), return_exceptions=True)
    assert sum(isinstance(result, UnlistedLimit) for result in results) == 5
    assert len(await database.read(stored.of_owner, by.owner)) == 3


@pytest.mark.parametrize(
    "field", ["name", "wire_model", "preset", "dialect", "url", "key", "link", "licence", "group", "system_prompt"]
)
async def test_half_a_character_is_refused_wherever_it_stands(database, by, register, field):
    with pytest.raises(Invalid):
        await register(**{field: "a\ud800"})
    assert await database.read(stored.of_owner, by.owner) == []
