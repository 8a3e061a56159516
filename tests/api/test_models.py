"""The public list of models: kept between requests, and as it is now in each process."""

from __future__ import annotations

import json
from contextlib import closing
from datetime import UTC, datetime

import pytest
from sqlalchemy import inspect

from arena.adapters.store.engine import open_database
from arena.adapters.store.tables.endpoint_records import FiguresRow
from arena.adapters.store.tables.endpoints import ChangeRow, EndpointRow
from arena.api.public_models import PublicModels
from arena.domain.schemas.models import ModelView
from arena.domain.terms import UNNAMED_OWNER, EndpointState
from tests.conftest import START
from tests.statements import recorded

MODELS = "/api/v1/models"
RED = "red-7b"
OTHERS = {
    "languages": ["de"],
    "state": EndpointState.SUSPENDED,
    "name": "rose-7b",
    "created_at": START.replace(year=START.year - 1),
}
"""Other values of columns than a number, a truth value or a text."""
COLUMNS = sorted({column.key for column in inspect(EndpointRow).column_attrs} & {*ModelView.model_fields, "created_at"})


def changed(session, column) -> None:
    row = session.query(EndpointRow).filter_by(name=RED).one()
    kind = EndpointRow.__table__.c[column].type.python_type
    others = {bool: not getattr(row, column), float: 3.5, int: 3, str: "other"}
    setattr(row, column, OTHERS[column] if column in OTHERS else others[kind])


def renamed_owner(session) -> None:
    session.query(EndpointRow).filter_by(name=RED).one().owner.name = "Other"


def hidden(session) -> None:
    session.query(EndpointRow).filter_by(name=RED).one().listed = False


def never_active(session) -> None:
    """The other model has a record, in which it was not let into battles."""
    row = session.query(EndpointRow).filter(EndpointRow.name != RED).one()
    facts = {"actor": "operator", "reason": "by a test", "created_at": START}
    session.add(ChangeRow(endpoint_id=row.id, before=None, after=EndpointState.DRAFT, **facts))


def measured(session) -> None:
    number = session.query(EndpointRow).filter_by(name=RED).one().id
    payload = {"week": {"as_of": START.isoformat()}}
    session.add(FiguresRow(endpoint_id=number, as_of=datetime.now(UTC), payload=payload))


def standing_by(session) -> None:
    session.query(EndpointRow).filter_by(name=RED).one().standby = True


def without_weight(session) -> None:
    """All but the model on standby are drawn no more, so that it is active."""
    session.query(EndpointRow).filter(EndpointRow.name != RED).one().weight = 0


def without_key(session) -> None:
    session.query(EndpointRow).filter_by(name=RED).one().key_env = "KEY_OF_NOBODY"


def listed(document) -> list[dict[str, object]]:
    return json.loads(document.bodies[""])


@pytest.mark.both_databases
async def test_every_change_of_what_it_shows_is_seen_at_once_in_both_processes(runtime, url):
    steps = [lambda session, column=column: changed(session, column) for column in COLUMNS if column != "name"]
    steps = [renamed_owner, measured, *steps]
    with closing(open_database(url)) as other:
        here, there = PublicModels(runtime.database, runtime.keys), PublicModels(other, runtime.keys)
        before = await here.document()
        for step in steps:
            await other.write(step)
            now = await here.document()
            assert listed(now) != listed(before)
            assert now.etag != before.etag
            assert await there.document() == now == await PublicModels(other, runtime.keys).document()
            before = now
    assert len(steps) > 15


@pytest.mark.both_databases
async def test_a_model_that_comes_goes_or_stands_by_is_so_at_once_in_both_processes(runtime, url):
    with closing(open_database(url)) as other:
        here, there = PublicModels(runtime.database, runtime.keys), PublicModels(other, runtime.keys)
        for step in (standing_by, without_weight, without_key, never_active, hidden):
            before = await there.document()
            await runtime.database.write(step)
            now = await there.document()
            assert listed(now) != listed(before)
            assert await here.document() == now == await PublicModels(other, runtime.keys).document()


async def test_it_is_built_once_and_not_modified_while_nothing_changes(client):
    first = await client.get(MODELS)
    with recorded() as statements:
        again = await client.get(MODELS)
        known = await client.get(MODELS, headers={"If-None-Match": first.headers["etag"]})
    assert again.content == first.content
    assert (known.status_code, known.content) == (304, b"")
    # What it was built from, and the time of the figures, at each of the two requests.
    assert len([text for text, _ in statements if text.startswith("SELECT")]) == 2 * 2


def without_owner(session) -> None:
    row = session.query(EndpointRow).filter_by(name=RED).one()
    row.owner.name = UNNAMED_OWNER


async def test_models_without_an_owner_are_no_variants_of_one_another(client, runtime):
    def variants(models) -> set[int | None]:
        return {model["variants"] for model in models if model["name"] == RED}

    assert variants((await client.get(MODELS)).json()) != {None}
    await runtime.database.write(without_owner)
    assert variants((await client.get(MODELS)).json()) == {None}
    assert variants([(await client.get(f"{MODELS}/{RED}")).json()]) == {None}
