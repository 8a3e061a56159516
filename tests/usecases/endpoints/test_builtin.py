import asyncio
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select

from arena.adapters.store import endpoints as stored
from arena.adapters.store import owners
from arena.adapters.store.engine import open_database
from arena.adapters.store.tables.endpoints import ChangeRow
from arena.domain.errors import Invalid, ModelNotFound, NameTaken, WrongState
from arena.domain.pairing.draw import Candidate
from arena.domain.pairing.eligibility import taking_part
from arena.domain.terms import EndpointState
from arena.usecases.endpoints import definition, registration
from arena.usecases.endpoints.builtin import settle_builtin
from arena.usecases.endpoints.registration import NewEndpoint
from arena.usecases.endpoints.states import OPERATOR, Step, set_state
from arena_providers.base import BuiltinEndpoint
from tests.conftest import START
from tests.row_factories import endpoint_row

BUILTIN = tuple(
    BuiltinEndpoint(
        name=f"demo-{n}", dialect="demo", wire_model=f"m{n}", owner="Demo", description_en="d", description_zh="演示"
    )
    for n in range(3)
)
STEP = Step(OPERATOR, "by command", START)
REAL = {"name": "acme-7b", "owner": "Acme", "url": "https://api.acme.example/v1", "wire_model": "seven"}


async def states(database) -> dict[str, str]:
    return await database.read(lambda session: {row.name: str(row.state) for row in stored.list_all(session)})


async def settle(database, mode: Any = "auto", builtin=BUILTIN) -> int:
    return await settle_builtin(database, builtin, mode, START)


async def add(database, **changes) -> None:
    await registration.register_as_operator(database, NewEndpoint.model_validate(REAL | changes), START)


async def drawn(database) -> set[str]:
    """The names of the endpoints that take part, out of those that could be called."""

    def read(session) -> set[str]:
        active = {row.id: row.name for row in stored.active(session)}
        pool = [
            Candidate(row.id, row.weight, practice=row.demo, standby=row.standby) for row in stored.drawable(session)
        ]
        return {active[candidate.id] for candidate in taking_part(pool) if candidate.weight}

    names = await database.read(read)
    assert await database.read(stored.count_active) == len(names)
    return names


async def shown(database) -> dict[str, str]:
    """The state of each endpoint as people are shown it."""
    return await database.read(
        lambda session: {row.name: str(stored.shown_state(session, row)) for row in stored.list_all(session)}
    )


async def test_an_empty_database_gets_the_built_in_ones_once(database):
    assert await settle(database) == 3
    assert await settle(database) == 3
    assert set((await states(database)).values()) == {"active"}


@pytest.mark.both_databases
async def test_off_has_none_and_on_brings_them_back(database):
    await settle(database)
    assert await settle(database, "off") == 0
    assert set((await states(database)).values()) == {"retired"}
    await settle(database, "on")
    assert set((await states(database)).values()) == {"active"}


PRACTICE = {model.name for model in BUILTIN}


async def test_practice_models_rest_while_two_real_ones_are_active(database):
    await settle(database)
    await add(database)
    assert await drawn(database) == PRACTICE | {"acme-7b"}
    await add(database, name="acme-13b")
    assert await drawn(database) == {"acme-7b", "acme-13b"}
    assert await shown(database) == {"acme-7b": "active", "acme-13b": "active"} | dict.fromkeys(PRACTICE, "paused")


@pytest.mark.both_databases
@pytest.mark.parametrize("state", [EndpointState.PAUSED, EndpointState.SUSPENDED, EndpointState.RETIRED])
async def test_practice_models_take_part_again_at_once_when_a_real_one_leaves_and_after_a_restart(database, state):
    await settle(database)
    for name in ("acme-7b", "acme-13b"):
        await add(database, name=name)
    await set_state(database, "acme-7b", state, STEP)
    assert await drawn(database) == PRACTICE | {"acme-13b"}
    await settle(database)
    assert await drawn(database) == PRACTICE | {"acme-13b"}
    assert (await shown(database))["demo-0"] == "active"
    await set_state(database, "acme-7b", EndpointState.ACTIVE, STEP)
    assert await drawn(database) == {"acme-7b", "acme-13b"}


async def test_a_real_one_that_is_never_drawn_lets_no_practice_model_rest(database):
    await settle(database)
    await add(database)
    await add(database, name="acme-13b", weight=0)
    assert await drawn(database) >= PRACTICE


async def test_a_practice_model_on_standby_cannot_be_resumed_and_nothing_is_said_to_be_done(database):
    await settle(database)
    for name in ("acme-7b", "acme-13b"):
        await add(database, name=name)
    with pytest.raises(WrongState) as caught:
        await set_state(database, "demo-0", EndpointState.ACTIVE, STEP)
    assert str(caught.value) == "'demo-0' is kept out of battles by ARENA_DEMO while two other models are active."
    await set_state(database, "demo-0", EndpointState.PAUSED, STEP)
    await set_state(database, "demo-0", EndpointState.ACTIVE, STEP)
    await set_state(database, "acme-7b", EndpointState.ACTIVE, STEP)


async def test_one_without_a_key_cannot_be_resumed(database):
    await add(database)
    number = (await database.read(stored.by_name, "acme-7b")).id
    with pytest.raises(WrongState) as caught:
        await set_state(database, "acme-7b", EndpointState.ACTIVE, STEP, frozenset({number}))
    assert str(caught.value) == "'acme-7b' has no key, and takes part as soon as the arena has one."


async def test_a_built_in_one_that_the_operator_suspended_stays_so(database):
    await settle(database)
    await set_state(database, "demo-0", EndpointState.SUSPENDED, STEP)
    await settle(database)
    assert (await states(database))["demo-0"] == "suspended"


@pytest.mark.both_databases
async def test_on_keeps_them_beside_real_ones(database):
    await settle(database, "on")
    for name in ("acme-7b", "acme-13b"):
        await add(database, name=name)
    assert await drawn(database) == PRACTICE | {"acme-7b", "acme-13b"}
    await settle(database, "auto")
    assert await drawn(database) == {"acme-7b", "acme-13b"}


@pytest.mark.parametrize("mode", ["auto", "on"])
async def test_practice_ends_when_two_real_ones_are_active_whether_the_built_in_ones_stay_or_not(database, mode):
    assert not await database.read(stored.only_practice)
    await settle(database, mode)
    assert await database.read(stored.only_practice)
    assert await database.read(stored.practice) == (True, False)
    await add(database)
    assert await database.read(stored.only_practice)
    assert await database.read(stored.practice) == (True, True)
    await add(database, name="acme-13b")
    assert not await database.read(stored.only_practice)
    assert await database.read(stored.practice) == (False, False)


async def test_a_built_in_one_keeps_the_languages_it_comes_with(database):
    await settle(database, builtin=[replace(BUILTIN[0], languages=("en",))])
    assert (await database.read(stored.by_name, "demo-0")).languages == ["en"]


async def test_a_built_in_one_that_is_not_shipped_any_more_retires(database):
    await settle(database)
    await settle(database, builtin=BUILTIN[:1])
    assert await states(database) == {"demo-0": "active", "demo-1": "retired", "demo-2": "retired"}


async def test_a_name_is_taken_once(database):
    await add(database)
    with pytest.raises(NameTaken):
        await add(database)


@pytest.mark.both_databases
async def test_a_name_known_from_imported_votes_becomes_callable(database):
    def imported(session) -> None:
        owner = owners.find_or_add(session, "imported", START)
        session.add(endpoint_row("acme-7b", owner=owner, dialect="", wire_model="", state=EndpointState.IMPORTED))

    await database.write(imported)
    with pytest.raises(WrongState, match="only from imported votes"):
        await set_state(database, "acme-7b", EndpointState.ACTIVE, STEP)
    await add(database)
    assert await states(database) == {"acme-7b": "active"}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("name", value) for value in ("", " x", "x ", "x" * 81, "a\nb", "a\u202eb", "\0")),
        *(("owner", value) for value in ("", "x" * 81)),
        *(
            ("url", value)
            for value in (
                *("", "acme", "ftp://acme.example", "file:///etc/passwd", "https://", "https://user:pw@acme.example"),
                *(
                    "https://acme.example/v1?key=1",
                    "https://acme.example/#x",
                    "http://[",
                    "https://a:99999/",
                    "javascript:1",
                ),
                "https://acme.example/" + "x" * 500,
            )
        ),
        ("wire_model", " "),
        ("link", "javascript:alert(1)"),
        ("languages", ("xx",)),
        ("languages", ("en", "en")),
        ("temperature", -0.1),
        ("temperature", float("nan")),
        ("top_p", 1.1),
        ("max_tokens", 0),
        ("weight", -1.0),
        ("weight", float("inf")),
    ],
)
async def test_a_bad_field_is_named_and_nothing_is_kept(database, field, value):
    with pytest.raises(Invalid) as caught:
        await add(database, **{field: value})
    assert str(caught.value).startswith(f"{field}: ")
    assert await states(database) == {}


async def test_an_operator_pauses_resumes_and_retires_an_endpoint(database):
    await add(database)
    for state in (EndpointState.PAUSED, EndpointState.ACTIVE, EndpointState.RETIRED):
        await set_state(database, "acme-7b", state, STEP)
        assert await states(database) == {"acme-7b": state}
    with pytest.raises(ModelNotFound):
        await set_state(database, "nobody", EndpointState.PAUSED, STEP)


async def test_a_draft_cannot_be_paused_because_its_owner_could_resume_it(database):
    await add(database)

    def drafted(session) -> None:
        stored.by_name(session, "acme-7b").state = EndpointState.DRAFT

    await database.write(drafted)
    for state in (EndpointState.PAUSED, EndpointState.ACTIVE):
        with pytest.raises(WrongState):
            await set_state(database, "acme-7b", state, STEP)
    await set_state(database, "acme-7b", EndpointState.SUSPENDED, STEP)


async def test_a_step_that_changes_nothing_leaves_no_row(database):
    await add(database)
    await set_state(database, "acme-7b", EndpointState.ACTIVE, STEP)
    assert await database.read(lambda session: [row.after for row in session.scalars(select(ChangeRow))]) == ["active"]


@pytest.mark.both_databases
async def test_processes_that_start_at_once_settle_the_built_in_ones_once(database, url):
    others = [open_database(url) for _ in range(2)]
    runs = [settle_builtin(one, BUILTIN, "auto", START) for one in (database, *others) for _ in range(3)]
    assert await asyncio.gather(*runs) == [3] * 9
    assert len(await states(database)) == 3
    for other in others:
        other.close()


async def test_a_built_in_model_is_what_it_is_called_and_gives_no_warning(database):
    await settle(database, builtin=[replace(BUILTIN[0], name="smollm2-135m-plain", owner="Hugging Face")])
    row = await database.read(lambda session: stored.by_name(session, "smollm2-135m-plain"))
    assert definition.warnings(row) == []
