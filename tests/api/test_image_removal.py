"""The end of an image on a running service with its worker: after 24 hours without a vote, or by a takedown at once."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import cache

import httpx2
import pytest
from sqlalchemy import select

from arena.adapters.images import decoder
from arena.adapters.store import endpoints, releases
from arena.adapters.store.leases import unguarded
from arena.adapters.store.tables.base import BaseRow
from arena.adapters.store.tables.conversations import BattleRow
from arena.api.http.voter_cookie import Cookies
from arena.domain.terms import BattleState
from arena.serving.composition import whole_app
from arena.serving.publisher import Publisher
from arena.usecases.endpoints.ownership import OwnerRules
from tests.adapters.images.files import save
from tests.adapters.images.varied import make_image
from tests.api.conftest import serving
from tests.conftest import NAMES
from tests.usecases.ranking.test_publication import METHOD

pytestmark = [pytest.mark.process, pytest.mark.both_databases]
KEY = "k" * 40
OPERATOR = {"Authorization": f"Bearer {KEY}"}


@cache
def image_file() -> bytes:
    return save(make_image("scene", 0))


@cache
def image_data() -> bytes:
    """The image as the arena keeps it."""
    return decoder.recoded(image_file()).data


@cache
def image_digest() -> str:
    return hashlib.sha256(image_data()).hexdigest()


@pytest.fixture
async def server(runtime, part):
    """The whole application on a socket, with two models that see."""

    def see(session) -> None:
        for name in NAMES:
            endpoints.by_name(session, name).vision = True

    await runtime.database.write(see)
    for name in NAMES:
        part(name, "A red square.")
    app = whole_app(runtime, Cookies(b"a secret of the tests"), rules=OwnerRules(operator_key=KEY))
    async with serving(app) as server:
        yield f"http://127.0.0.1:{vars(server)['port']}"


@pytest.fixture
async def voter(server):
    async with httpx2.AsyncClient(base_url=server, timeout=120) as voter:
        yield voter


@pytest.fixture
def work(runtime):
    """Run the worker's passes over battles and images as if this much time had passed."""

    async def work(after: timedelta) -> None:
        with ThreadPoolExecutor(1) as executor:
            later = runtime.now() + after
            publisher = Publisher(runtime.database, METHOD, executor, lambda: later)
            await publisher.close_turns(unguarded)
            await publisher.expire_images(unguarded)

    return work


async def asked(voter) -> tuple[str, str]:
    """The ids of an image and of a battle about it, whose answers have come."""
    image = (await voter.post("/api/v1/images", content=image_file())).json()["id"]
    battle = await voter.post("/api/v1/battles", json={"prompt": "What is this?", "images": [image]})
    battle_id = battle.json()["id"]
    await voter.get(f"/api/v1/battles/{battle_id}/stream")
    return image, battle_id


async def shared(voter, battle_id: str) -> str:
    await voter.post(f"/api/v1/battles/{battle_id}/vote", json={"outcome": "tie"})
    return (await voter.post(f"/api/v1/battles/{battle_id}/share")).json()["token"]


async def stored(runtime) -> dict[str, int]:
    """The number of rows with the image's bytes, and with its digest, by table."""

    def search(session) -> dict[str, int]:
        hits = {
            name: sum(image_data() in row or image_digest() in row for row in session.execute(select(table)))
            for name, table in BaseRow.metadata.tables.items()
        }
        return {name: number for name, number in hits.items() if number}

    return await runtime.database.read(search)


async def test_an_image_without_a_vote_is_gone_after_24_hours(runtime, voter, work):
    image, battle_id = await asked(voter)
    await work(timedelta(hours=23, minutes=59))
    shown = await voter.get(f"/api/v1/images/{image}")
    assert (shown.content, shown.headers["cache-control"]) == (image_data(), "no-store")
    await work(timedelta(hours=24, seconds=1))
    gone = await voter.get(f"/api/v1/images/{image}")
    assert (gone.status_code, gone.json()["code"], gone.headers["cache-control"]) == (
        404,
        "image_not_found",
        "no-store",
    )
    assert await stored(runtime) == {}
    state = await runtime.database.read(lambda session: session.get_one(BattleRow, battle_id).state)
    assert state is BattleState.ABANDONED


async def test_an_image_of_a_battle_that_was_skipped_is_gone_after_24_hours(runtime, voter, work):
    _, battle_id = await asked(voter)
    assert (await voter.post(f"/api/v1/battles/{battle_id}/skip")).status_code == 200
    await work(timedelta(hours=24, seconds=1))
    assert await stored(runtime) == {}


async def test_a_takedown_removes_an_image_at_once_and_everywhere(runtime, voter, server):
    image, battle_id = await asked(voter)
    token = await shared(voter, battle_id)
    assert await stored(runtime) == {"images": 1, "uploads": 1}
    async with httpx2.AsyncClient(base_url=server, timeout=120) as other:
        copy = (await other.post("/api/v1/images", content=save(make_image("scene", 0), "JPEG"))).json()["id"]
        assert (await other.get(f"/api/v1/shared/{token}")).headers["cache-control"] == "no-store"
        down = await other.post(
            f"/api/v1/operator/shares/{token}/takedown", json={"reason": "an order"}, headers=OPERATOR
        )
        assert down.status_code == 204
        for client, path in (
            (voter, f"images/{image}"),
            (other, f"images/{copy}"),
            (voter, f"shared/{token}"),
            (other, f"shared/{token}"),
        ):
            gone = await client.get(f"/api/v1/{path}")
            assert (gone.status_code, gone.headers["cache-control"]) == (404, "no-store"), path
        again = await other.post("/api/v1/images", content=image_file())
        assert (again.status_code, again.json()["code"]) == (409, "image_blocked")
        described = (await other.get("/api/v1/openapi.json")).json()["paths"]
        public = [
            path for path, acts in described.items() if "get" in acts and "{" not in path and "stream" not in path
        ]
        assert {"/api/v1/votes/export", "/api/v1/leaderboard"} < set(public)
        for path in public:
            text = (await other.get(path)).text
            assert image not in text, path
            assert image_digest() not in text, path
    assert await stored(runtime) == {"image_blocks": 1}
    battle = await voter.get(f"/api/v1/battles/{battle_id}")
    assert (battle.status_code, battle.headers["cache-control"]) == (200, "no-store")
    assert await runtime.database.read(lambda session: list(releases.of_battles(session, [battle_id]))) == []
