"""Images from upload to reveal: who sees them, which models, how long, and each way in which they are refused."""

from __future__ import annotations

from datetime import timedelta

import httpx2
import pytest
from sqlalchemy import func, select

from arena.adapters.images import decoder
from arena.adapters.store import endpoints
from arena.adapters.store.tables.conversations import VoteRow
from arena.adapters.store.tables.images import ImageRow, UploadRow
from arena.usecases.images import uploads
from tests.adapters.images.files import draw, save
from tests.adapters.images.varied import CHANGES, flat, make_image
from tests.api.conftest import ORIGIN
from tests.conftest import NAMES, add_endpoints

pytestmark = pytest.mark.process

BLIND = ("grey-7b", "dull-7b", "dark-7b")


@pytest.fixture
async def seeing(runtime, part):
    """Two models that see images, among others that do not."""

    def see(session) -> None:
        add_endpoints(session, BLIND)
        for name in NAMES:
            endpoints.by_name(session, name).vision = True

    await runtime.database.write(see)
    for name in (*NAMES, *BLIND):
        part(name, "A red square.")


@pytest.fixture
async def stranger(app):
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=ORIGIN) as client:
        yield client


async def sent(client, seed: int = 0) -> str:
    answer = await client.post("/api/v1/images", content=save(draw(seed=seed)))
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


async def asked(client, *ids: str, path: str = "battles", **more):
    return await client.post(f"/api/v1/{path}", json={"prompt": "What is this?", "images": list(ids), **more})


async def followed(client, battle_id: str) -> None:
    await client.get(f"/api/v1/battles/{battle_id}/stream")


async def count(runtime, table) -> int:
    return await runtime.database.read(lambda session: session.scalar(select(func.count()).select_from(table)))


def code(answer) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


async def test_a_battle_about_an_image_is_drawn_among_those_who_see_and_votes_count_in_a_category(
    client, runtime, scripted, seeing
):
    for _ in range(4):
        image = await sent(client)
        battle = (await asked(client, image)).json()
        await followed(client, battle["id"])
        assert battle["turns"][0]["images"] == [image]
        await client.post(f"/api/v1/battles/{battle['id']}/vote", json={"outcome": "a"})
    assert {name for name, _ in scripted.asked} == set(NAMES)
    shown = {message.images for _, messages in scripted.asked for message in messages}
    assert {(len(images), images[0].media_type) for images in shown} == {(1, "image/png")}
    categories = await runtime.database.read(lambda session: session.scalars(select(VoteRow.category)).all())
    assert set(categories) == {"vision"}


async def test_a_follow_up_stays_with_its_pair_and_its_images(client, scripted, seeing):
    battle_id = (await asked(client, await sent(client))).json()["id"]
    await followed(client, battle_id)
    more = await client.post(f"/api/v1/battles/{battle_id}/turns", json={"prompt": "And what colour?"})
    assert [turn["images"] == [] for turn in more.json()["turns"]] == [False, True]
    await followed(client, battle_id)
    *_, (_, talk) = scripted.asked
    assert [len(message.images) for message in talk] == [1, 0, 0]
    again = await asked(client, await sent(client, 1), path=f"battles/{battle_id}/turns")
    assert again.status_code == 200
    await followed(client, battle_id)
    assert len({name for name, _ in scripted.asked}) == 2


async def test_a_battle_that_began_without_images_takes_none_whoever_was_drawn(client, seeing):
    battle_id = (await asked(client)).json()["id"]
    await followed(client, battle_id)
    refused = await asked(client, await sent(client), path=f"battles/{battle_id}/turns")
    assert code(refused) == (409, "images_late")


async def test_a_chat_shows_images_to_models_that_see_and_names_those_that_do_not(client, scripted, seeing):
    assert (await client.get("/api/v1/status")).json()["vision_endpoints"] == len(NAMES)
    image = await sent(client)
    assert (await asked(client, image, path="chats", models=list(NAMES))).status_code == 201
    refused = await asked(client, image, path="chats", models=[NAMES[0], BLIND[0]])
    assert code(refused) == (409, "model_blind")
    assert BLIND[0] in refused.json()["detail"]


async def test_without_two_models_that_see_there_is_no_battle_about_an_image_and_the_page_knows(client, runtime):
    status = (await client.get("/api/v1/status")).json()
    assert (status["vision"], status["vision_endpoints"]) == (False, 0)
    assert code(await asked(client, await sent(client))) == (409, "no_vision")
    assert (await asked(client)).status_code == 201


async def test_an_image_is_shown_to_nobody_but_its_voter(client, stranger, seeing):
    image = await sent(client)
    answer = await client.get(f"/api/v1/images/{image}")
    assert (answer.headers["content-type"], answer.headers["cache-control"]) == ("image/png", "no-store")
    foreign, unknown = [await stranger.get(f"/api/v1/images/{image_id}") for image_id in (image, "0" * 22)]
    assert code(foreign) == (404, "image_not_found")
    assert foreign.content == unknown.content
    assert code(await asked(stranger, image)) == (404, "image_not_found")
    battle_id = (await asked(client, image)).json()["id"]
    await followed(client, battle_id)
    await client.post(f"/api/v1/battles/{battle_id}/vote", json={"outcome": "tie"})
    token = (await client.post(f"/api/v1/battles/{battle_id}/share")).json()["token"]
    shared = await stranger.get(f"/api/v1/shared/{token}")
    assert image not in shared.text
    assert shared.json()["images"] == 1
    exported = (await stranger.get("/api/v1/votes/export")).text
    assert "vision" in exported
    assert image not in exported


@pytest.mark.parametrize(
    ("file", "rule"),
    [(b"", "kind"), (b"<svg/>", "kind"), (save(draw())[:200], "broken"), (save(draw((9, 9))), "small")],
)
async def test_a_file_that_is_not_taken_is_refused_with_its_reason(client, file, rule):
    refused = await client.post("/api/v1/images", content=file)
    assert code(refused) == (422, "image_refused")
    assert refused.json()["params"] == {"rule": rule}


async def test_a_file_that_is_too_large_is_refused_by_its_length_or_where_it_exceeds_the_limit(client):
    async def pieces():
        for _ in range(9):
            yield bytes(2**20)

    for content in (bytes(9 * 2**20), pieces()):
        refused = await client.post("/api/v1/images", content=content)
        assert code(refused) == (413, "image_too_large")


async def test_five_images_are_too_many_and_so_is_one_twice(client, seeing):
    ids = [await sent(client, seed) for seed in range(5)]
    for choice in (ids, [ids[0], ids[0]]):
        assert code(await asked(client, *choice)) == (422, "too_many_images")
    battle_id = (await asked(client, *ids[:3])).json()["id"]
    await followed(client, battle_id)
    assert code(await asked(client, *ids[3:], path=f"battles/{battle_id}/turns")) == (422, "too_many_images")


async def test_equal_images_are_kept_once_until_the_last_reference_is_gone(client, stranger, runtime, seeing):
    for voter in (client, stranger):
        await sent(voter)
    assert (await count(runtime, ImageRow), await count(runtime, UploadRow)) == (1, 2)
    await client.delete("/api/v1/me")
    assert (await count(runtime, ImageRow), await count(runtime, UploadRow)) == (1, 1)
    await stranger.delete("/api/v1/me")
    assert (await count(runtime, ImageRow), await count(runtime, UploadRow)) == (0, 0)


async def voted(client, image: str) -> str:
    battle_id = (await asked(client, image)).json()["id"]
    await followed(client, battle_id)
    vote = await client.post(f"/api/v1/battles/{battle_id}/vote", json={"outcome": "tie"})
    assert vote.status_code == 200
    return battle_id


async def test_an_image_goes_after_an_hour_unasked_a_day_without_a_vote_and_thirty_days_with_one(
    client, runtime, seeing
):
    unasked, unvoted, kept = [await sent(client, seed) for seed in range(3)]
    battle_id = (await asked(client, unvoted)).json()["id"]
    await followed(client, battle_id)
    await voted(client, kept)
    start = runtime.now()
    for after, ids in (
        (timedelta(minutes=59), {unasked, unvoted, kept}),
        (timedelta(hours=2), {unvoted, kept}),
        (timedelta(hours=23, minutes=59), {unvoted, kept}),
        (timedelta(hours=24, seconds=1), {kept}),
        (timedelta(days=29), {kept}),
        (timedelta(days=31), set()),
    ):
        await uploads.expire(runtime.database, start + after)
        answers = {image: await client.get(f"/api/v1/images/{image}") for image in (unasked, unvoted, kept)}
        assert {image for image, answer in answers.items() if answer.status_code == 200} == ids, after
        assert await count(runtime, ImageRow) == len(ids)
    assert code(await client.post(f"/api/v1/battles/{battle_id}/regenerate")) == (409, "images_gone")
    assert (await client.get(f"/api/v1/battles/{battle_id}")).json()["turns"][0]["images"] == [unvoted]


async def test_a_vote_on_one_battle_keeps_its_image_though_another_with_it_has_none(client, runtime, seeing):
    image = await sent(client)
    await voted(client, image)
    await followed(client, (await asked(client, image)).json()["id"])
    await uploads.expire(runtime.database, runtime.now() + timedelta(days=29))
    assert await count(runtime, ImageRow) == 1


async def test_an_image_of_a_chat_is_kept_for_thirty_days(client, runtime, seeing):
    assert (await asked(client, await sent(client), path="chats", models=list(NAMES))).status_code == 201
    for after, images in ((timedelta(days=29), 1), (timedelta(days=31), 0)):
        await uploads.expire(runtime.database, runtime.now() + after)
        assert await count(runtime, ImageRow) == images


async def test_a_shared_battle_that_is_taken_down_takes_its_images_with_it_and_they_do_not_come_back(
    client, stranger, operator, runtime, seeing
):
    battle_id = (await asked(client, await sent(client))).json()["id"]
    await followed(client, battle_id)
    await client.post(f"/api/v1/battles/{battle_id}/vote", json={"outcome": "tie"})
    token = (await client.post(f"/api/v1/battles/{battle_id}/share")).json()["token"]
    assert (await operator.post(f"/operator/shares/{token}/takedown", json={"reason": "no"})).status_code == 204
    assert await count(runtime, ImageRow) == 0
    refused = await stranger.post("/api/v1/images", content=save(draw()))
    assert code(refused) == (409, "image_blocked")
    assert (await count(runtime, ImageRow), await count(runtime, VoteRow)) == (0, 1)


@pytest.mark.both_databases
@pytest.mark.parametrize("drawing", [lambda: make_image("scene", 0), lambda: flat()["red"]], ids=["scene", "flat"])
async def test_a_blocked_image_is_deleted_wherever_it_is_kept_and_refused_from_now_on(
    client, stranger, runtime, drawing
):
    picture = drawing()
    ids = [(await browser.post("/api/v1/images", content=save(picture))).json()["id"] for browser in (client, stranger)]
    for reason in ("a court's order", "again"):
        await uploads.block(runtime.database, decoder.recoded(save(picture)), reason, runtime.now())
    for browser, image in zip((client, stranger), ids, strict=True):
        assert code(await browser.get(f"/api/v1/images/{image}")) == (404, "image_not_found")
        assert code(await browser.post("/api/v1/images", content=save(picture))) == (409, "image_blocked")
    assert (await count(runtime, ImageRow), await count(runtime, UploadRow)) == (0, 0)


@pytest.mark.both_databases
async def test_a_blocked_image_stays_blocked_in_another_encoding_and_others_pass(client, stranger, runtime):
    """The lookup uses similarity; tests/adapters/images tests which changes are recognised."""
    files = [CHANGES[name](make_image("scene", 0)) for name in ("PNG", "JPEG 60", "smaller, cropped, lighter JPEG")]
    for file in files[:2]:
        assert (await stranger.post("/api/v1/images", content=file)).status_code == 201
    await uploads.block(runtime.database, decoder.recoded(files[0]), "a court's order", runtime.now())
    assert (await count(runtime, ImageRow), await count(runtime, UploadRow)) == (0, 0)
    for file in files:
        assert code(await client.post("/api/v1/images", content=file)) == (409, "image_blocked")
    for other in (make_image("scene", 1), make_image("text", 1), flat()["red"]):
        assert (await client.post("/api/v1/images", content=save(other))).status_code == 201
