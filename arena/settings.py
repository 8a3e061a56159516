"""All settings, read once from `ARENA_*` variables by a command and passed down as plain values."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, model_validator

from arena.domain.errors import Invalid
from arena.domain.privacy.keyed_digest import keyed_digest
from arena.domain.terms import Access

if TYPE_CHECKING:
    from arena_providers.transport.egress import Policy

SECRET_LENGTH = 32


class Settings(BaseModel):
    """Settings of an installation; every one has a default that works on a laptop."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    data: Path = Path("arena-data")
    """Folder of the database and the signing secret; created at the first start."""
    database_url: str = ""
    """Such as `postgresql://user:password@host/name`; empty means a SQLite file in `data`."""
    redis_url: str = ""
    """Such as `redis://host:6379/0`, where limits are counted for all processes; empty means per process."""
    processes: int = Field(default=4, ge=1)
    """Number of processes that share the limits: each applies its share while Redis does not answer."""
    secret: SecretStr = SecretStr("")
    """Signs voter cookies; empty means a random one, generated at the first start and kept in `data`."""

    secret_key: SecretStr = SecretStr("")
    """Master keys that encrypt models' keys, as printed by `arena secrets new`, comma separated, newest first. Empty
    means a file in `data`, and with another database that owners' keys are not accepted."""

    demo: Literal["auto", "on", "off"] = "auto"
    """When practice models take part: `auto` while fewer than two real ones are active, `on` always, `off` never."""
    local: Literal["auto", "off"] = "auto"
    """The small language model that runs on this machine, if its packages are installed."""

    shipped_questions: Literal["auto", "off"] = "auto"
    """Whether an arena that has no set of questions gets, at its start, those that come with it."""

    egress_allow: str = ""
    """`host:port` pairs, comma separated, that endpoints may use besides public HTTPS."""

    access: Access = Access.PUBLIC
    """Access to the arena: `public` everybody, `members-vote` everybody reads and members battle and vote, `members`
    members alone see anything."""
    sign_in: Path | None = None
    """File of the providers by which members sign in, or of the proxy that names them; invitations need none."""
    public_board: bool = False
    """Whether boards and their files stay public where everything else is for members."""

    invitation: SecretStr = SecretStr("")
    """Invitation code that owners need to sign up; empty means that anyone may."""
    approval: Literal["operator", "auto"] = "operator"
    """Whether the operator approves endpoints that have passed their probe, and later changes of them
    (`arena endpoints pending`), or nobody has to."""
    operator_key: SecretStr = SecretStr("")
    """Key of an owner of the arena for /api/v1/operator; these routes exist too where operators have keys of their own,
    or sign in."""
    operator_name: str = Field(default="", max_length=120)
    """Name under which commands record acts; empty means the user of the system."""
    sign_ups_per_hour: int = Field(default=10, ge=1)
    """Sign-ups of owners from one neighbourhood of addresses."""
    probes_per_hour: int = Field(default=10, ge=1)
    """Probes that one owner may start, new endpoints included."""
    probe_seconds: float = Field(default=60, gt=0)
    """Time limit of a probe in all."""

    frame_seconds: float = Field(default=0.1, gt=0, le=5)
    release_rate: int = Field(default=0, ge=0, le=1_000_000)
    """Units per second on each side of a battle: a Han, kana or Hangul character counts two, any other one. 0 has it
    chosen every day by what the models sustain."""
    start_seconds: float | None = Field(default=None, ge=0, le=30)
    """Earliest start of the text in a battle; None has it chosen in the same way."""
    connect_seconds: float = Field(default=5, gt=0)
    first_token_seconds: float = Field(default=120, gt=0)
    between_tokens_seconds: float = Field(default=20, gt=0)
    total_seconds: float = Field(default=270, gt=0)
    grace_seconds: float = Field(default=10, ge=0)
    """Time that running answers have to finish after a stop signal."""

    prompts_per_minute: int = Field(default=20, ge=1)
    prompts_per_minute_per_address: int = Field(default=400, ge=1)
    running_per_voter: int = Field(default=3, ge=1)
    running_per_address: int = Field(default=0, ge=0)
    """Most turns that run at once for one neighbourhood of addresses; 0 is two thirds of `running`: by default a school
    of 200 can begin at once, and battles still begin elsewhere."""
    running: int = Field(default=300, ge=1)
    """Most turns that run at once, in all processes if they share Redis; above nine tenths of it no battle starts."""
    battles_per_day_per_address: int = Field(default=6_000, ge=0)
    """Battles of one neighbourhood of addresses per day (UTC); 0 here and below means no limit."""
    votes_per_day_per_address: int = Field(default=4_000, ge=0)
    """Counted votes of one neighbourhood per day; further votes are kept and not counted."""
    abandoned_share: float = Field(default=0.8, ge=0, le=1)
    """A neighbourhood with a larger share of battles without a vote today cannot start new ones until it falls."""
    abandoned_from: int = Field(default=1_000, ge=0)
    """Battles of a neighbourhood today from which on the share is checked."""
    reading_speed: float = Field(default=40, ge=0)
    """Characters per second, Han characters counted twice: a vote that is cast before the shorter answer can have been
    read is kept and not counted."""
    bot_check: Literal["off", "observe", "require"] = "observe"
    """Proof of work that a voter's browser does once a day: `observe` records the result, `require` does not count
    votes of those who have not done it and needs HTTPS."""
    vote_gate: Literal["on", "off"] = "on"
    """Whether votes of slices that push a model weigh less, by decisions that anybody can recompute."""
    closed: bool = False
    """Whether only a certain group votes here, such as a class or a company: no network's share of the votes is limited
    while the arena is young, and its board says so."""
    pairing: Literal["rank", "near", "uniform"] = "rank"
    """How pairs are drawn, an eighth of them always at random: `rank` prefers those whose votes tell most about the
    ranks, `near` models of equal strength, `uniform` none."""
    board_labels: str = "capabilities/rules/1"
    """Labels that boards of topics come from, as SET/LABELLER/VERSION: version 1 of the rules is the category that a
    vote has since it was cast, `capabilities/rules/2` finds several in a prompt."""
    labeller: str = ""
    """An endpoint that labels votes, as SET/ENDPOINT/VERSION such as `capabilities/sorter/1`; empty means none."""
    label_terms: int = Field(default=0, ge=0)
    """Lowest version of the terms that lets voters' prompts reach `labeller`; 0 means none, as in the shipped terms."""
    alarm_votes: int = Field(default=200, ge=0)
    """Votes of a day from which on a neighbourhood with more than half of them raises an alarm."""
    running_per_endpoint: int = Field(default=200, ge=1)
    """Concurrent calls of one process to one endpoint, so that a hung endpoint cannot use up all capacity."""
    fingerprint_seconds: float = Field(default=300, gt=0)
    """Seconds between checks for endpoints whose nightly fingerprint is due."""

    rank_seconds: float = Field(default=10, gt=0)
    """Seconds between checks for new votes."""
    rank_orders: int = Field(default=1_000, ge=2, le=100_000)
    rank_seed: int = Field(default=0, ge=0)

    log_folder: Path | None = None
    """Folder of the transparency log that the worker writes and all processes serve; empty means `log` in `data`."""
    files: Literal["daily", "off"] = "off"
    """Have the worker write the public files once a day, for /files: boards, votes, audit files, releases."""
    archive_days: int = Field(default=0, ge=0)
    """Days after which the worker moves the answers of closed evaluations from the database to files in `answers` of
    `data`; 0 means never."""
    checkpoint_seconds: float = Field(default=10, gt=0)
    """Longest time until new leaves of the transparency log are signed; a hundred of them are signed at once."""

    witnesses: str = ""
    """Addresses of logs whose arenas witness this one, such as https://other.example/log, separated by commas."""

    dask_scheduler: str = ""
    """Address of a dask scheduler that distributes the fit, such as tcp://host:8786; empty means this machine."""
    dask_folder: Path = Path()
    """Folder shared by the worker and all dask workers, through which they read the log."""

    show_reasoning: bool = False
    """Keep models' reasoning and show it after the vote; never before, since it identifies them."""
    terms: int = Field(default=1, ge=0)
    """Version of the terms that visitors accept with the first prompt; a higher one asks all again, 0 nobody."""

    release_terms: int = Field(default=1, ge=1)
    """Lowest version of the terms that lets conversations be released; the shipped terms do from version 1 on."""

    log: Literal["text", "json"] = "text"
    """Format of logs: text for people, or a JSON object per line, requests included."""
    otel: bool = False
    """Send spans to a collector, configured by the variables OTEL_…; needs the packages of `battle-arena[otel]`."""
    otel_metrics: bool = False
    """Send the metrics to it too, under the names that they have for Prometheus."""
    otel_logs: bool = False
    """Send the lines of the log to it too."""
    otel_events: bool = False
    """Send an event `gen_ai.evaluation.result` for each counted vote and judgement, by the same variables."""
    metrics_host: str = "127.0.0.1"
    metrics_port: int = Field(default=0, ge=0, le=65_535)
    """Port of `/metrics` for Prometheus, apart from the public port; 0 means none."""
    internal_url: str = ""
    """Address at which other processes of the arena reach this one, such as `http://api1:8000`; empty if alone."""
    trusted_hops: int = Field(default=0, ge=0, le=10)
    """Number of trusted proxies in front, and so of trusted entries in X-Forwarded-For."""

    gradio: Literal["auto", "off"] = "auto"
    """Whether `/gradio` starts the Gradio app at the first visit, beside this arena on the next free port; not behind a
    proxy (`trusted_hops`), where `gradio_url` says where it runs."""
    gradio_url: str = ""
    """Public address of the Gradio app where it is deployed; `/gradio` leads there."""
    gradio_token: SecretStr = SecretStr("")
    """Secret by which a Gradio app that is deployed beside this arena names the address of its visitors, as its
    ARENA_GRADIO_TOKEN; empty means one that only the app of `/gradio` is given."""

    frame_origin: str = ""
    """Another site that leads to this arena, such as https://pages.example, for pages made by models: browsers run them
    in a process of their own. Empty: the arena's own."""
    public_url: str = ""
    """Public address of the arena, such as https://arena.example; previews of shared links and invitations need it."""

    security_contact: str = ""
    """Mail address or https address to which security problems are reported, for /.well-known/security.txt; empty means
    `security@` at the host of `public_url`, as RFC 2142 has it, or no such file without that."""

    secure_cookie: bool = False
    """Send the voter cookie over HTTPS only; set it behind a TLS proxy."""
    body_limit: int = Field(default=65_536, ge=1_024)
    """Largest request body in bytes."""

    @model_validator(mode="before")
    @classmethod
    def _read(cls, raw: dict[str, object]) -> dict[str, object]:
        """Add the values of variables, or else of files in `ARENA_SECRETS_DIR`, to those of the caller."""
        values = {name: _environment_value(f"ARENA_{name.upper()}") for name in cls.model_fields if name not in raw}
        return raw | {name: value for name, value in values.items() if value is not None}

    @property
    def database(self) -> str:
        """Address of the database; creates the data folder for the default file."""
        if self.database_url:
            return self.database_url
        self._make_data()
        return f"sqlite:///{(self.data / 'arena.db').resolve().as_posix()}"

    @property
    def has_database(self) -> bool:
        """Whether there is a database to read: the address of a server is set, or the default file is there."""
        return bool(self.database_url) or (self.data / "arena.db").exists()

    @property
    def published_log(self) -> Path:
        """Folder of the published transparency log."""
        return self.log_folder or self.data / "log"

    @property
    def files_folder(self) -> Path:
        """Folder of the public files that are served at /files."""
        return self.data / "files"

    @property
    def release_folder(self) -> Path:
        """Folder of the files of releases."""
        return self.data / "releases"

    @property
    def witness_addresses(self) -> list[str]:
        """The witnesses of the log."""
        return [place.strip() for place in self.witnesses.split(",") if place.strip()]

    @property
    def log_host(self) -> str:
        """First word of the log's name: the public host, if it is known."""
        return urlsplit(self.public_url).netloc or "arena"

    @property
    def gradio_open(self) -> bool:
        """Whether `/gradio` leads to a Gradio app."""
        return self.gradio != "off" and bool(self.gradio_url or not self.trusted_hops)

    @property
    def contact_for_security(self) -> str:
        """The contact as an address that begins with `mailto:` or `https:`, or an empty string."""
        host = urlsplit(self.public_url).hostname
        contact = self.security_contact or (f"security@{host}" if host else "")
        return f"mailto:{contact}" if contact and ":" not in contact else contact

    @property
    def address_file(self) -> Path:
        """File with the address at which the arena was served last."""
        return self.data / "address"

    @property
    def address(self) -> str:
        """Address for links: `public_url`, or else host and port as served last."""
        served = self.address_file.read_text() if self.address_file.is_file() else "http://127.0.0.1:8000"
        return (self.public_url or served).rstrip("/")

    @property
    def key_file(self) -> Path | None:
        """File of the master keys if no variable holds them: beside the default database; else None."""
        return None if self.database_url else self.data / "master.keys"

    def egress_policy(self) -> Policy:
        """Return the rules of where endpoints may be.

        Raises:
            Invalid: `egress_allow` is no list of hosts and ports.
        """
        from arena_providers.transport.egress import Policy

        try:
            return Policy.parse(self.egress_allow)
        except ValueError as error:
            raise Invalid(f"ARENA_EGRESS_ALLOW: {error}") from None

    def operators_key(self) -> str:
        """Return the operator's key, or an empty string."""
        key = self.operator_key.get_secret_value()
        return _long_enough(key, "ARENA_OPERATOR_KEY").decode() if key else ""

    def signing_secret(self) -> bytes:
        """Return the configured secret, or the one in the data folder, generated at the first call."""
        if text := self.secret.get_secret_value():
            return _long_enough(text, "ARENA_SECRET")
        self._make_data()
        path = self.data / "secret.key"
        if not path.exists():
            part = path.with_suffix(f".{os.getpid()}")
            part.touch(mode=0o600)
            part.write_text(secrets.token_hex(32))
            part.replace(path)
        return _long_enough(path.read_text().strip(), str(path))

    def visitor_token(self) -> str:
        """Return the token with which the Gradio app names its visitors."""
        if text := self.gradio_token.get_secret_value():
            return _long_enough(text, "ARENA_GRADIO_TOKEN").decode()
        return keyed_digest(self.signing_secret(), "visitors of the Gradio app")

    def _make_data(self) -> None:
        try:
            self.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        except FileExistsError:
            raise Invalid(f"{self.data} is a file: set ARENA_DATA to a folder.") from None


def _environment_value(variable: str) -> str | None:
    """The value of a variable, or the content of the file of its name in lower case in `ARENA_SECRETS_DIR`."""
    file = Path(os.environ.get("ARENA_SECRETS_DIR", ""), variable.lower())
    from_file = file.read_text("utf-8").strip() if "ARENA_SECRETS_DIR" in os.environ and file.is_file() else None
    return os.environ.get(variable, from_file)


def _long_enough(secret: str, where: str) -> bytes:
    """Return the secret as bytes; a short one could be guessed."""
    if len(secret) < SECRET_LENGTH:
        raise Invalid(f"{where}: a secret has at least {SECRET_LENGTH} characters")
    return secret.encode()
