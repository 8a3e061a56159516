"""Endpoints with keys and state changes, and owners with people and webhooks."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, CheckConstraint, ForeignKey, String, Text, false
from sqlalchemy.orm import Mapped, mapped_column, relationship

from arena.adapters.store.tables.base import BIG, BaseRow
from arena.domain.terms import EndpointState, JsonObject


class OwnerRow(BaseRow):
    """An owner of endpoints; their API key, if any, is stored as id and digest."""

    __tablename__ = "owners"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(80), unique=True)
    contact: Mapped[str | None] = mapped_column(String(200))
    key_id: Mapped[str | None] = mapped_column(String(24), unique=True)
    key_digest: Mapped[str | None] = mapped_column(String(64))
    key_made_at: Mapped[datetime | None]
    created_at: Mapped[datetime]


class EndpointRow(BaseRow):
    """A registered, callable model version.

    Its key is a `CredentialRow`, or in the environment variable `key_env`. Versions of one model have the same
    `family`, the name of the first. Unless `listed`, it and its votes are not on the board. It is drawn for prompts in
    its `languages` (ISO 639-1; empty means any), with `vision` also for prompts with images. `unopened` says that its
    answers close reasoning that they never open, as a probe has shown. `former_aliases` has
    earlier values of `aliases` with their end times, `pending` the owner's changes before approval. A practice model
    (`demo`) on `standby` is drawn only while fewer than two real endpoints can be.
    """

    __tablename__ = "endpoints"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(80), unique=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey("owners.id"))
    dialect: Mapped[str] = mapped_column(String(40))
    url: Mapped[str] = mapped_column(String(500))
    private: Mapped[bool] = mapped_column(default=False)
    unopened: Mapped[bool] = mapped_column(server_default=false(), default=False)
    wire_model: Mapped[str] = mapped_column(String(200))
    key_env: Mapped[str | None] = mapped_column(String(80))
    system_prompt: Mapped[str | None] = mapped_column(Text)
    temperature: Mapped[float | None]
    top_p: Mapped[float | None]
    max_tokens: Mapped[int | None]
    weight: Mapped[float] = mapped_column(CheckConstraint("weight >= 0", name="weight"), default=1.0)
    group_name: Mapped[str | None] = mapped_column(String(40))
    aliases: Mapped[list[str]] = mapped_column(default=list)
    languages: Mapped[list[str]] = mapped_column(default=list)
    vision: Mapped[bool] = mapped_column(server_default=false(), default=False)
    former_aliases: Mapped[list[JsonObject]] = mapped_column(JSON, default=list)
    pending: Mapped[JsonObject | None] = mapped_column(JSON(none_as_null=True))
    demo: Mapped[bool] = mapped_column(default=False)
    standby: Mapped[bool] = mapped_column(default=False)
    listed: Mapped[bool] = mapped_column(default=True)
    state: Mapped[EndpointState]
    family: Mapped[str | None] = mapped_column(String(80))
    version: Mapped[int] = mapped_column(default=1)
    preset: Mapped[str | None] = mapped_column(String(40))
    open_weights: Mapped[bool | None]
    billions: Mapped[float | None]
    context_tokens: Mapped[int | None]
    price_in: Mapped[float | None]
    price_out: Mapped[float | None]
    energy: Mapped[float | None]
    challenge: Mapped[str | None] = mapped_column(String(64))
    proven_at: Mapped[datetime | None]
    probe_until: Mapped[datetime | None]
    daily_calls: Mapped[int | None]
    daily_tokens: Mapped[int | None]
    licence: Mapped[str | None] = mapped_column(String(80))
    link: Mapped[str | None] = mapped_column(String(500))
    description_en: Mapped[str | None] = mapped_column(String(500))
    description_zh: Mapped[str | None] = mapped_column(String(500))
    created_at: Mapped[datetime]

    owner: Mapped[OwnerRow] = relationship(lazy="joined", innerjoin=True)


class ChangeRow(BaseRow):
    """One state change of an endpoint with actor and reason; append-only.

    The English `reason` comes from `code` and `params`, or else from a person.
    """

    __tablename__ = "endpoint_changes"

    number: Mapped[int] = mapped_column(BIG, primary_key=True)
    endpoint_id: Mapped[int] = mapped_column(ForeignKey("endpoints.id"), index=True)
    before: Mapped[EndpointState | None]
    after: Mapped[EndpointState]
    actor: Mapped[str] = mapped_column(String(80))
    reason: Mapped[str] = mapped_column(String(200))
    code: Mapped[str | None] = mapped_column(String(40))
    params: Mapped[JsonObject | None]
    created_at: Mapped[datetime]


class OwnerPersonRow(BaseRow):
    """A person who signs in as an owner, by a keyed digest of issuer and subject; an owner may have several people."""

    __tablename__ = "owner_people"

    person: Mapped[str] = mapped_column(String(64), primary_key=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey(OwnerRow.id), index=True)
    created_at: Mapped[datetime]


class WebhookRow(BaseRow):
    """The webhook of an owner; `newest` is the number of the last delivered change of their endpoints.

    After `failures` in a row the next attempt is at `retry_at`.
    """

    __tablename__ = "webhooks"

    owner_id: Mapped[int] = mapped_column(ForeignKey(OwnerRow.id), primary_key=True)
    url: Mapped[str] = mapped_column(String(500))
    newest: Mapped[int] = mapped_column(BIG)
    failures: Mapped[int]
    retry_at: Mapped[datetime | None]
    created_at: Mapped[datetime]


class CredentialRow(BaseRow):
    """An endpoint's key, encrypted with its own data key, which a master key wraps; only `origin` may receive it."""

    __tablename__ = "credentials"

    endpoint_id: Mapped[int] = mapped_column(ForeignKey(EndpointRow.id), primary_key=True)
    origin: Mapped[str] = mapped_column(String(300))
    master: Mapped[str] = mapped_column(String(16))
    wrapped: Mapped[bytes]
    sealed: Mapped[bytes]
    created_at: Mapped[datetime]
