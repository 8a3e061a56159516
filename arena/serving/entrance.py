"""The rules of access and signing in, from the settings and the file of providers."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

from pydantic import ValidationError

from arena.adapters.row_files.row_file import read_text
from arena.api.contract import BASE
from arena.api.http.members import Entrance
from arena.domain.errors import Invalid
from arena.domain.sign_in import SignInFile
from arena.domain.terms import Access

if TYPE_CHECKING:
    from pathlib import Path

    from arena.adapters.openid.provider import OpenIdProvider
    from arena.settings import Settings


def entrance(settings: Settings) -> Entrance | None:
    """Build the entrance; None if the arena is open to everybody and nobody signs in.

    Raises:
        Invalid: The settings contradict each other, or the file is not valid.
    """
    if settings.access is Access.PUBLIC and not settings.sign_in:
        return None
    file = _read(settings.sign_in) if settings.sign_in else SignInFile()
    if settings.access is Access.PUBLIC and (
        file.header or not any(entry.operator or entry.owners for entry in file.provider)
    ):
        raise Invalid(
            "ARENA_SIGN_IN: while ARENA_ACCESS is public only operators and owners sign in, and the file names none."
        )
    address = settings.public_url.rstrip("/")
    if file.provider and not address:
        raise Invalid("ARENA_PUBLIC_URL: providers send people back to it; set it to the arena's public address.")
    return Entrance(settings.access, address, _providers(file, address), file.header, settings.public_board)


def _providers(file: SignInFile, address: str) -> dict[str, OpenIdProvider]:
    # Only an arena for members needs Authlib, which takes a quarter of a second to import.
    from arena.adapters.openid.provider import OpenIdProvider

    callback = f"{address}{BASE}/sign-in"
    return {rules.name: OpenIdProvider(rules, f"{callback}/{rules.name}/callback") for rules in file.provider}


def _read(path: Path) -> SignInFile:
    try:
        return SignInFile.model_validate(tomllib.loads(read_text(path)))
    except tomllib.TOMLDecodeError as error:
        raise Invalid(f"{path}: {error}.") from None
    except ValidationError as error:
        fault = error.errors()[0]
        place = ".".join(str(step) for step in fault["loc"])
        raise Invalid(f"{path}: {place}: {fault['msg']}.") from None
