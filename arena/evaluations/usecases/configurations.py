"""Configurations, stored as immutable versions; an unchanged configuration adds none."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from pydantic import ValidationError
from sqlalchemy.orm import Session

from arena.adapters.store import endpoints
from arena.adapters.store.engine.sessions import one_at_a_time
from arena.adapters.store.engine.transactions import read_transaction, write_transaction
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.domain.blinding.identity import lookalike
from arena.domain.errors import Conflict, Invalid, NameTaken
from arena.domain.text import name_line
from arena.evaluations.domain.configurations import (
    NAME_LIMIT,
    ConfigurationRequest,
    ConfigurationSettingsView,
    ConfigurationView,
    digest,
)
from arena.evaluations.store import evaluations as stored
from arena.evaluations.store.tables.evaluations import ConfigurationRow

VERSIONS_LIMIT: Final = 200
"""Most versions of all configurations of one endpoint."""
_LOCK: Final = "name an endpoint"
"""That of registrations, which give names as well."""


@write_transaction
def put(session: Session, name: str, model: str, settings: Mapping[str, object], now: datetime) -> ConfigurationView:
    """Store a configuration of an endpoint as its next version, unless the newest one is the same.

    Raises:
        Invalid: There is no such endpoint, nothing is set, or a setting is out of its range.
        Conflict: An endpoint has this name, or one that looks like it.
    """
    one_at_a_time(session, _LOCK)
    return _store(session, name, model, settings, now)


@write_transaction
def put_as_owner(
    session: Session, owner_id: int, endpoint_id: int, request: ConfigurationRequest, now: datetime
) -> ConfigurationView:
    """Store a configuration of an endpoint of this owner, as `put`.

    Raises:
        EndpointNotFound: Unknown, or another owner's.
        Invalid: Nothing is set, or a setting is out of its range.
        NameTaken: Another owner's model has a configuration of this name, or of one that looks like it.
        Conflict: An endpoint has this name or one that looks like it, or the endpoint has `VERSIONS_LIMIT` versions.
    """
    one_at_a_time(session, _LOCK)
    endpoint = endpoints.owned(session, endpoint_id, owner_id)
    _check_name(session, owner_id, request.name)
    if stored.count_configurations(session, endpoint_id) >= VERSIONS_LIMIT:
        raise Conflict(rule="configurations", limit=VERSIONS_LIMIT)
    return _store(session, request.name, endpoint.name, request.model_dump(exclude={"name"}), now)


@read_transaction
def of_owned(session: Session, owner_id: int, endpoint_id: int) -> list[ConfigurationView]:
    """The newest version of each configuration of an endpoint of this owner, by name.

    Raises:
        EndpointNotFound: Unknown, or another owner's.
    """
    endpoints.owned(session, endpoint_id, owner_id)
    return [view(session, row) for row in stored.configurations(session) if row.endpoint_id == endpoint_id]


def _check_name(session: Session, owner_id: int, name: str) -> None:
    newest = stored.newest_configuration(session, name)
    if newest is None:
        is_taken = lookalike(name, stored.configuration_names_of_others(session, owner_id)) is not None
    else:
        is_taken = session.get_one(EndpointRow, newest.endpoint_id).owner_id != owner_id
    if is_taken:
        raise NameTaken(rule="configuration", name=name)


def _store(session: Session, name: str, model: str, options: Mapping[str, object], now: datetime) -> ConfigurationView:
    settings, endpoint = _settings(options), endpoints.by_name(session, model)
    if endpoint is None:
        raise Invalid(rule="no_model", name=model)
    newest, new_digest = stored.newest_configuration(session, name), digest(name, model, settings)
    if endpoints.by_name(session, name) is not None:
        raise Conflict(rule="model_name", name=name)
    if newest is None:
        name_line("name", name, NAME_LIMIT)
        if other := lookalike(name, endpoints.names(session)):
            raise Conflict(rule="model_lookalike", name=name, other=other)
    if newest is None or newest.digest != new_digest:
        newest = ConfigurationRow(
            name=name,
            version=newest.version + 1 if newest else 1,
            endpoint_id=endpoint.id,
            settings=settings.model_dump(exclude_none=True),
            digest=new_digest,
            created_at=now,
        )
        session.add(newest)
        session.flush()
    return view(session, newest)


@read_transaction
def list_newest(session: Session) -> list[ConfigurationView]:
    """The newest version of each configuration, by name."""
    return [view(session, row) for row in stored.configurations(session)]


def view(session: Session, row: ConfigurationRow) -> ConfigurationView:
    """A configuration with the name of its endpoint."""
    settings = ConfigurationSettingsView.model_validate(row.settings)
    model = session.get_one(EndpointRow, row.endpoint_id).name
    return ConfigurationView(name=row.name, version=row.version, model=model, settings=settings, digest=row.digest)


def _settings(options: Mapping[str, object]) -> ConfigurationSettingsView:
    try:
        settings = ConfigurationSettingsView.model_validate({k: v for k, v in options.items() if v is not None})
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        raise Invalid(f"{fault['loc'][0]}: {fault['msg']}.") from None
    if not settings.model_dump(exclude_none=True):
        raise Invalid(rule="no_setting")
    return settings
