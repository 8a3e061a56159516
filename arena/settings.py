"""All settings, read once from `ARENA_*` variables by a door and passed down as plain values."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SecretsSettingsSource,
    SettingsConfigDict,
)

from arena.errors import Invalid

SECRET_LENGTH = 32


class Settings(BaseSettings):
    """What an operator may choose; every value has a default that works on a laptop."""

    model_config = SettingsConfigDict(env_prefix="ARENA_", frozen=True)

    data: Path = Path("arena-data")
    """Folder of the database and the signing secret; made at the first start."""
    database_url: str = ""
    """As `postgresql://user:password@host/name`; empty means a SQLite file in `data`."""
    redis_url: str = ""
    """As `redis://host:6379/0`: limits are counted there for all processes; empty means in each for itself."""
    processes: int = Field(default=4, ge=1)
    """How many processes share the limits: each goes on with its part when Redis does not answer."""
    secret: SecretStr = SecretStr("")
    """Signs voter cookies; empty means one drawn at the first start and kept in `data`."""

    secret_key: SecretStr = SecretStr("")
    """Seals the keys of models: base64 as `arena secrets new` prints it, several with commas between, newest first.
    Empty means a file in `data`, and with another database that no such keys are kept."""

    demo: Literal["auto", "on", "off"] = "auto"
    """Built-in models: `auto` retires them once two real endpoints can meet, `on` keeps them, `off` has none."""
    local: Literal["auto", "off"] = "auto"
    """The small language model that runs on this machine, where its packages are installed."""

    egress_allow: str = ""
    """Pairs of host and port, with commas between, that endpoints may have although they are not public HTTPS."""

    invitation: SecretStr = SecretStr("")
    """The code that signing up as an owner takes; empty means that everybody may."""
    approval: Literal["operator", "auto"] = "operator"
    """Who lets an endpoint that has passed its probe take part: `arena endpoints approve`, or nobody has to."""
    operator_key: SecretStr = SecretStr("")
    """What calls under /api/v1/operator carry; empty means that there are none."""
    sign_ups_per_hour: int = Field(default=10, ge=1)
    """New owners from one neighbourhood of addresses."""
    probes_per_hour: int = Field(default=10, ge=1)
    """Probes that one owner may start, those of new endpoints among them."""

    frame_seconds: float = Field(default=0.1, gt=0, le=5)
    frame_characters: int = Field(default=24, ge=1, le=10_000)
    connect_seconds: float = Field(default=5, gt=0)
    first_token_seconds: float = Field(default=30, gt=0)
    between_tokens_seconds: float = Field(default=20, gt=0)
    total_seconds: float = Field(default=180, gt=0)
    grace_seconds: float = Field(default=10, ge=0)
    """How long running answers may go on after the order to stop."""

    prompts_per_minute: int = Field(default=20, ge=1)
    prompts_per_minute_per_address: int = Field(default=200, ge=1)
    running_per_voter: int = Field(default=3, ge=1)
    running_per_address: int = Field(default=60, ge=1)
    running: int = Field(default=300, ge=1)
    """Pairs of answers at once, of all processes where Redis counts; no battle begins while nine tenths are running."""
    running_per_endpoint: int = Field(default=200, ge=1)
    """Most calls of one process to one endpoint at the same time, so that a hung one cannot take every place."""
    fingerprint_seconds: float = Field(default=300, gt=0)
    """How often endpoints are looked for whose nightly comparison with the answers of their approval is due."""

    rank_seconds: float = Field(default=10, gt=0)
    """How often new votes are looked for."""
    rank_orders: int = Field(default=1_000, ge=2, le=100_000)
    rank_seed: int = Field(default=0, ge=0)

    dask_scheduler: str = ""
    """Address of a dask scheduler whose workers share the fit, such as tcp://host:8786; empty means this machine."""
    dask_folder: Path = Path()
    """Folder that the worker and every dask worker see, through which the log reaches them."""

    show_reasoning: bool = False
    """Keep what models think beside their answers, and show it after the vote; never before, it tells who they are."""
    terms: int = Field(default=1, ge=0)
    """Version of the terms that a visitor accepts with the first prompt; a higher one asks everybody anew, 0 nobody."""

    log: Literal["text", "json"] = "text"
    """How log lines look: for a person, or one JSON object each, requests included."""
    otel: bool = False
    """Send spans to a collector, as the variables OTEL_… say; needs the packages of `battle-arena[otel]`."""
    metrics_host: str = "127.0.0.1"
    metrics_port: int = Field(default=0, ge=0, le=65_535)
    """Where Prometheus finds `/metrics`, apart from the public port; 0 is nowhere."""
    internal_url: str = ""
    """Where the other processes that serve the same arena reach this one, as `http://api1:8000`; empty if alone."""
    trusted_hops: int = Field(default=0, ge=0, le=10)
    """Proxies of your own in front; so many of the last forwarded addresses are believed, none by default."""

    public_url: str = ""
    """Where the public finds the arena, such as https://arena.example; previews of shared links need it."""

    secure_cookie: bool = False
    """Send the voter cookie over HTTPS only; set it behind a TLS proxy."""
    body_limit: int = Field(default=65_536, ge=1_024)
    """Largest request body in bytes."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the framework's signature
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Variables first, then the files of `ARENA_SECRETS_DIR`, each named as its variable in small letters."""
        folder = os.environ.get("ARENA_SECRETS_DIR")
        files = (SecretsSettingsSource(settings_cls, secrets_dir=folder),) if folder else ()
        return (init_settings, env_settings, *files)

    @property
    def database(self) -> str:
        """The database's address; makes the data folder if the file is to lie in it."""
        if self.database_url:
            return self.database_url
        self.data.mkdir(parents=True, exist_ok=True)
        return f"sqlite:///{(self.data / 'arena.db').resolve().as_posix()}"

    @property
    def key_file(self) -> Path | None:
        """Where the master keys are when no variable holds them: beside the database, if that is the default one."""
        return None if self.database_url else self.data / "master.keys"

    def operators_key(self) -> str:
        """What the operator's calls carry, or nothing."""
        key = self.operator_key.get_secret_value()
        return _long_enough(key, "ARENA_OPERATOR_KEY").decode() if key else ""

    def signing_secret(self) -> bytes:
        """The secret that was set, or the one kept in the data folder, drawn at the first call."""
        if text := self.secret.get_secret_value():
            return _long_enough(text, "ARENA_SECRET")
        self.data.mkdir(parents=True, exist_ok=True)
        path = self.data / "secret.key"
        if not path.exists():
            part = path.with_suffix(f".{os.getpid()}")
            part.touch(mode=0o600)
            part.write_text(secrets.token_hex(32))
            part.replace(path)
        return _long_enough(path.read_text().strip(), str(path))


def _long_enough(secret: str, where: str) -> bytes:
    """The secret as bytes; a short one would let anybody sign cookies."""
    if len(secret) < SECRET_LENGTH:
        raise Invalid(f"{where}: a secret has at least {SECRET_LENGTH} characters")
    return secret.encode()
