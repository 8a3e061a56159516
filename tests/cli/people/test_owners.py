"""The operator and owners: keys are given and taken, endpoints approved and suspended, every step is on record."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from arena.adapters.store import endpoints as stored
from arena.adapters.store.engine import open_database
from arena.adapters.store.engine.migration import migrate
from arena.adapters.store.keyring import Keyring
from arena.adapters.store.tables.endpoint_records import ProbeRow
from arena.domain.schemas.endpoints import ChangeRequest, RegisterRequest
from arena.usecases.endpoints import registration, versions
from arena.usecases.endpoints.approval import passed
from arena.usecases.endpoints.ownership import By, OwnerRules
from arena.usecases.people import owners
from tests.cli.commands import CommandResult, run, table_lines
from tests.conftest import START

UNNAMED = "unnamed owner"
VERBS = ("approve-changes", "refuse-changes")
TOO_LONG = "reason: 1 to 200 printable characters, no space at either end"


@pytest.fixture
def folder(tmp_path) -> Path:
    """The data folder of an arena where Acme has signed up and registered `acme-7b`, which has passed its probe."""
    (tmp_path / "data").mkdir()
    url = f"sqlite:///{tmp_path / 'data' / 'arena.db'}"
    migrate(url)
    database = open_database(url)

    async def fill() -> None:
        acme = await owners.sign_up(database, "Acme", "models@acme.example", START)
        request = RegisterRequest(name="acme-7b", url="https://api.acme.example/v1", wire_model="seven", listed=False)
        by = By(acme.id, OwnerRules(), Keyring(), START)
        number = (await registration.register_as_owner(database, by, request)).id

        def passes(session) -> None:
            row = stored.locked(session, number)
            assert row is not None
            passed(session, row, by.rules, "health", START)

        await database.write(passes)

    asyncio.run(fill())
    database.close()
    return tmp_path / "data"


@pytest.fixture
def arena(folder):
    def arena(*arguments: str) -> CommandResult:
        return run(*arguments, ARENA_DATA=str(folder), COLUMNS="200")

    return arena


def test_owners_are_listed_without_keys(arena):
    listed = arena("owners", "list").stdout
    assert listed.splitlines()[0].split() == ["name", "contact", "endpoints", "key", "of", "since"]
    assert table_lines(listed) == [["Acme", "models@acme.example", "1", "2026-01-01", "2026-01-01"]]
    assert json.loads(arena("owners", "list", "--json").stdout) == [
        {
            "name": "Acme",
            "contact": "models@acme.example",
            "endpoints": 1,
            "key_of": "2026-01-01",
            "since": "2026-01-01",
        }
    ]


def test_a_key_is_given_once_and_taken(arena, folder):
    given = arena("owners", "key", "Acme").stdout.strip()
    assert given.startswith("arena_")
    assert given.split("_")[2].encode() not in (folder / "arena.db").read_bytes()
    assert arena("owners", "revoke", "Acme").stdout == "Acme has no key any more.\n"
    assert [line[3] for line in table_lines(arena("owners", "list").stdout)] == ["-"]


@pytest.mark.parametrize("verb", ["key", "revoke"])
def test_an_owner_whom_nobody_knows_is_one_clear_line(arena, verb):
    missing = arena("owners", verb, "Nobody")
    assert (missing.returncode, missing.stderr) == (1, "arena: No owner is named 'Nobody'.\n")


def test_an_endpoint_is_approved_once_and_suspended_and_every_step_is_shown(arena):
    assert arena("endpoints", "approve", "acme-7b").stdout == "acme-7b is active.\n"
    again = arena("endpoints", "approve", "acme-7b")
    assert again.stderr == "arena: 'acme-7b' is active; only what has passed its probe waits for an approval.\n"
    suspended = arena("endpoints", "suspend", "acme-7b", "--reason", "answers in rhymes only")
    assert suspended.stdout == "acme-7b is suspended.\n"
    assert [line[1:] for line in table_lines(arena("endpoints", "changes", "acme-7b").stdout)] == [
        ["active", "suspended", "operator", "answers in rhymes only"],
        ["pending", "active", "operator", "approved by the operator"],
        ["probing", "pending", "health", "passed its probe"],
        ["draft", "probing", "owner:1", "to be probed"],
        ["-", "draft", "owner:1", "registered"],
    ]


@pytest.fixture
def change(folder):
    """The owner asks for another licence."""

    def change(licence: str) -> None:
        database = open_database(f"sqlite:///{folder / 'arena.db'}")
        by = By(1, OwnerRules(), Keyring(), START)
        asyncio.run(versions.change(database, by, 1, ChangeRequest(licence=licence)))
        database.close()

    return change


def waiting(arena) -> list[list[str]]:
    """The cells of each line of what waits for the operator."""
    return table_lines(arena("endpoints", "pending").stdout)


def test_what_waits_comes_with_the_remarks_of_its_newest_probe(arena, folder):
    def probe(session) -> None:
        for title in ("An older remark.", "It declines."):
            report = {"problems": [{"code": "refusing", "title": title}]}
            session.add(ProbeRow(endpoint_id=1, passed=True, report=report, created_at=START))
            session.flush()

    database = open_database(f"sqlite:///{folder / 'arena.db'}")
    asyncio.run(database.write(probe))
    database.close()
    assert [line[2:4] for line in waiting(arena)] == [["state", "pending"], ["warning", "It declines."]]


def newest_reason(arena) -> str:
    return table_lines(arena("endpoints", "changes", "acme-7b").stdout)[0][-1]


def test_what_an_owner_wants_waits_until_the_operator_lets_it_take_effect_or_drops_it(arena, change):
    assert waiting(arena) == [["acme-7b", "Acme", "state", "pending", "active"]]
    arena("endpoints", "approve", "acme-7b")
    assert waiting(arena) == []
    change("MIT")
    assert waiting(arena) == [["acme-7b", "Acme", "licence", "None", "MIT"]]
    assert arena("endpoints", "approve-changes", "acme-7b").stdout == "acme-7b is changed.\n"
    change("Mine alone")
    assert waiting(arena) == [["acme-7b", "Acme", "licence", "MIT", "Mine alone"]]
    refused = arena("endpoints", "refuse-changes", "acme-7b", "--reason", "no such licence")
    assert (refused.stdout, newest_reason(arena)) == ("acme-7b is not changed.\n", "no such licence")
    assert waiting(arena) == []


def test_the_list_shows_state_version_and_calls(arena):
    (line,) = table_lines(arena("endpoints", "list").stdout)
    assert line == [
        *("acme-7b", "1", "Acme", "openai_chat", "https://api.acme.example/v1"),
        *("any", "pending", "unlisted", "0", "-", "-", "no"),
    ]
    (endpoint,) = json.loads(arena("endpoints", "list", "--json").stdout)
    assert (endpoint["name"], endpoint["errors"], endpoint["demo"]) == ("acme-7b", None, False)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("approve", "nobody"), "No endpoint is named 'nobody'."),
        (("changes", "nobody"), "No endpoint is named 'nobody'."),
        (("suspend", "nobody"), "No endpoint is named 'nobody'."),
        (("pause", "acme-7b"), "'acme-7b' has passed its probe and waits: approve it."),
        (("approve", "acme-7b", "--reason", "x" * 201), TOO_LONG),
        (("suspend", "acme-7b", "--reason", "a\nb"), TOO_LONG),
        *(((verb, "nobody"), "No endpoint is named 'nobody'.") for verb in VERBS),
        *(((verb, "acme-7b"), "No change of this endpoint waits for approval.") for verb in VERBS),
    ],
)
def test_what_cannot_be_done_is_one_clear_line(arena, arguments, line):
    wrong = arena("endpoints", *arguments)
    assert (wrong.returncode, wrong.stderr) == (1, f"arena: {line}\n")


def test_an_operators_key_that_is_too_short_keeps_the_arena_from_opening(folder):
    refused = run("serve", "--port", "0", ARENA_DATA=str(folder), ARENA_OPERATOR_KEY="short", ARENA_LOCAL="off")
    assert (refused.returncode, refused.stderr.splitlines()[-1]) == (
        1,
        "arena: ARENA_OPERATOR_KEY: a secret has at least 32 characters",
    )


def test_an_owner_without_a_name_is_called_alike_everywhere_and_can_be_typed_so(arena):
    for name, owner in (("mine", ()), ("other", ("--owner", UNNAMED))):
        added = arena(
            "endpoints", "add", name, "--url", "https://m.example/v1", "--wire-model", "m", "--no-probe", *owner
        )
        assert added.returncode == 0, added.stderr
    for listing in (arena("endpoints", "list").stdout, arena("owners", "list").stdout):
        assert UNNAMED in listing
        assert "unknown" not in listing
    assert {row["name"]: row["endpoints"] for row in json.loads(arena("owners", "list", "--json").stdout)}[
        "unknown"
    ] == 2
    assert arena("owners", "key", UNNAMED).returncode == 0
    assert arena("owners", "revoke", UNNAMED).stdout == f"{UNNAMED} has no key any more.\n"
