"""`arena release`: build, review, publish, list."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

import typer

from arena.adapters.store import releases as stored
from arena.cli.context import acting_name, now, run
from arena.cli.terminal.command_groups import command_group
from arena.cli.terminal.progress import progress
from arena.cli.terminal.tables import AsJson, show
from arena.domain.errors import Invalid, Unavailable
from arena.domain.operators import Act, ActKind
from arena.domain.terms import JsonObject
from arena.settings import Settings

try:
    from arena.usecases.releases import builds, reviews
except ModuleNotFoundError as missing:
    raise Unavailable(f"releases need {missing.name}: pip install 'battle-arena[release]'.") from missing

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from datetime import date

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.adapters.store.tables.operations import ReleaseRow

app = command_group("Build, review and publish releases of conversations.")

T = TypeVar("T")

NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")
NEXT, FOUND, STOP = "", "x", "q"

Name = Annotated[str, typer.Argument(help="Name of the release, such as 2026-11.")]


@dataclass(frozen=True, slots=True)
class ListedRelease:
    """A release, how many of its sample were read and by whom, and when it was published."""

    name: str
    conversations: int
    built: date
    read: str
    published: date | None
    digest: str


@app.command()
def build(
    name: Name,
    licence: Annotated[str, typer.Option(help="Licence of prompts and votes.")] = "CC BY 4.0",
) -> None:
    """Write the files of a release to the data folder, in place of an unpublished one of this name."""
    folder, terms, salt = _folder(name), _terms(), secrets.token_bytes(32)

    async def act(database: Database) -> ReleaseRow:
        with progress("conversations") as meter:
            build = partial(builds.build, database, folder, watch=meter.over)
            return await build(name=name, licence=licence, terms=terms, salt=salt, now=now())

    row = _run(act, Act(ActKind.RELEASE_BUILT, name))
    for reason, count in row.removed.items():
        print(f"{count:6} removed: {reason}")
    print(f"{row.conversations:6} conversations in {folder}\nDigest: {row.digest}\nNext: arena release review {name}")


@app.command()
def review(
    name: Name,
    by: Annotated[str | None, typer.Option(help="Reader; by default who runs the command.")] = None,
) -> None:
    """Show a random 300 conversations one by one; whoever stops goes on there next time."""
    folder, row = _folder(name), _run(lambda database: reviews.release(database, name))
    reader = by or acting_name(Settings())
    rows = reviews.sample(row, folder)
    for place, conversation in enumerate(rows[row.reviewed :], start=row.reviewed + 1):
        print(_text(conversation, f"{place} of {len(rows)}"))
        answer = typer.prompt("Enter: nothing personal · x: personal data · q: stop", default=NEXT, show_default=False)
        if answer.strip() == FOUND:
            refused = Act(ActKind.RELEASE_READ, name, f"conversation {conversation['id']} refused")
            _run(lambda database, item=conversation: reviews.refuse(database, name, item["id"], _terms()), refused)
            print(f"It is in no release from now on. Build {name} again.")
            return
        if answer.strip() == STOP:
            return
        read = Act(ActKind.RELEASE_READ, name)
        _run(lambda database, count=place: reviews.passed(database, name, row.digest, count, reader), read)
    print(f"All {len(rows)} are read. Next: arena release publish {name}")


@app.command()
def publish(name: Name) -> None:
    """Put the digest of a release that was read into the transparency log; its files can then go anywhere."""
    folder = _folder(name)
    row = _run(
        lambda database: reviews.publish(database, folder, name, _terms(), now()),
        Act(ActKind.RELEASE_PUBLISHED, name),
    )
    print(f"Release {name} is published; its digest {row.digest} is a leaf of the log. The files are in {folder}.")


@app.command("list")
def list_releases(json: AsJson = False) -> None:
    """List all releases."""
    show(_run(lambda database: database.read(_listed)), json=json)


def _listed(session: Session) -> list[ListedRelease]:
    return [
        ListedRelease(
            name=row.name,
            conversations=row.conversations,
            built=row.built_at.date(),
            read="refused" if row.refused else f"{row.reviewed} by {row.reviewed_by}" if row.reviewed_by else "0",
            published=row.published_at.date() if row.published_at else None,
            digest=row.digest,
        )
        for row in stored.all_releases(session)
    ]


def _run(work: Callable[[Database], Coroutine[None, None, T]], act: Act | None = None) -> T:
    return run(lambda database, _settings: work(database), act)


def _folder(name: str) -> Path:
    if not NAME.fullmatch(name):
        raise Invalid("The name of a release has 1 to 40 of a-z, 0-9, dot, dash and underscore.")
    return Settings().release_folder / name


def _terms() -> int:
    return Settings().release_terms


def _text(conversation: JsonObject, title: str) -> str:
    lines = [f"\n━━ {title} ━━"]
    for turn in conversation["full_conversation"]:
        for side, speaker in (("user", "▶"), ("model_side_a", "A"), ("model_side_b", "B")):
            lines.append(f"{speaker} {turn[side]['content'][0]['text']}")
    return "\n".join(lines)
