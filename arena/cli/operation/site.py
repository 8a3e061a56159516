"""`arena site`: the operator's settings and pages, by the same use case as the page /operator and the API."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from arena.cli.context import now, read, run
from arena.cli.terminal.command_groups import command_group
from arena.cli.terminal.output_file import write_out
from arena.cli.terminal.tables import AsJson, show
from arena.domain.errors import Invalid
from arena.domain.operators import Act, ActKind

if TYPE_CHECKING:
    from arena.adapters.store.engine import Database
    from arena.domain.schemas.site import SiteChangeRequest
    from arena.domain.site import OperatedSite
    from arena.settings import Settings

app = command_group("Set name, mark, announcement, languages and prompt checks, and publish pages of your own.")

_KEY: Final = "Such as name, mark, languages, prompt_checks, accent, announcement.en, ideas.en, imprint.en or terms.zh."
_SHOWN: Final = 60
"""Characters of a value in the list."""


@dataclass(frozen=True, slots=True)
class SiteSetting:
    """A setting that the operator has made, or a page that is published, with its version."""

    key: str
    value: str
    version: int | None = None


@app.command("show")
def show_site(key: Annotated[str, typer.Argument(help=_KEY)] = "", json: AsJson = False) -> None:
    """Show all that is set, or one value whole; of a page that is not published yet the draft."""
    from arena.adapters.store import site as stored
    from arena.usecases.operated_site import keys

    site = read(stored.load)
    if key:
        print(keys.setting(site, key))
    else:
        show(_settings(site), json=json)


def _settings(site: OperatedSite) -> list[SiteSetting]:
    from arena.domain.site import KEYS, SitePage
    from arena.usecases.operated_site import keys

    rows = [SiteSetting(key, keys.setting(site, key)[:_SHOWN]) for key in KEYS if key.split(".")[0] not in [*SitePage]]
    pages = {page: version for page in SitePage if (version := site.published(page))}
    return [row for row in rows if row.value] + [
        SiteSetting(f"{page}.{language}", text[:_SHOWN].partition("\n")[0], version.version)
        for page, version in pages.items()
        for language, text in version.texts.items()
    ]


@app.command("set")
def set_site(
    key: Annotated[str, typer.Argument(help=_KEY)],
    value: Annotated[str, typer.Argument(help="The new value; empty takes the setting back.")] = "",
    file: Annotated[Path | None, typer.Option(help="File with the value, such as a page in Markdown.")] = None,
) -> None:
    """Set one value, or publish a page in one language."""
    from arena.adapters.store import site as stored
    from arena.usecases.operated_site import keys

    text = value if file is None else _content(key, file)

    async def act(database: Database, settings: Settings) -> bool:
        return await _change(database, settings, keys.changed(await database.read(stored.load), key, text))

    is_new = run(act, Act(ActKind.SITE_CHANGED, key))
    print(f"{key} is {'set' if text else 'taken back'}{'' if is_new else ' already'}.")


def _content(key: str, file: Path) -> str:
    """The value in a file: a text, or the mark in base64."""
    data = file.read_bytes()
    if key == "mark":
        return b64encode(data).decode()
    try:
        return data.decode("utf-8").strip()
    except UnicodeDecodeError:
        raise Invalid(f"{file} is no text in UTF-8.") from None


@app.command("export")
def export_site(file: Annotated[Path, typer.Argument(help="File to write; - is standard output.")]) -> None:
    """Write the whole site into one file, for another arena."""
    from arena.adapters.store import site as stored
    from arena.usecases.operated_site import site_file

    write_out(site_file.exported(read(stored.load)).model_dump_json(indent=2).encode() + b"\n", file)


@app.command("import")
def import_site(file: Annotated[Path, typer.Argument(help="A file that `arena site export` has written.")]) -> None:
    """Take over the site of a file, whole or not at all."""
    from arena.usecases.operated_site import site_file

    edit = site_file.read(site_file.parsed(file.read_bytes()))
    act = Act(ActKind.SITE_IMPORTED, str(file))
    is_new = run(lambda database, settings: _change(database, settings, edit), act)
    print(f"The site of {file} is set{'' if is_new else ' already'}.")


async def _change(database: Database, settings: Settings, edit: SiteChangeRequest) -> bool:
    from arena.adapters.images.recoding import Recoder
    from arena.usecases.operated_site import edits

    return await edits.apply(database, Recoder(), edit, now(), settings.terms)
