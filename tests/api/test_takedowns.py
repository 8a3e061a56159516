"""Reported links are counted and listed; what is taken down shows nothing and is not shared again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import event

from arena.adapters.store.tables.shares import ShareRow


@pytest.fixture
async def token(client, finish) -> str:
    battle_id = await finish("What is shared?")
    await client.post(f"/api/v1/battles/{battle_id}/vote", json={"outcome": "a"})
    return (await client.post(f"/api/v1/battles/{battle_id}/share")).json()["token"]


async def test_whoever_sees_a_link_can_report_it_and_the_operator_sees_how_often(client, operator, token):
    assert (await operator.get("/operator/shares")).json() == []
    for reason in ("private", "illegal", "private"):
        assert (await client.post(f"/api/v1/shared/{token}/report", json={"reason": reason})).status_code == 204
    (report,) = (await operator.get("/operator/shares")).json()
    assert (report["token"], report["prompt"]) == (token, "What is shared?")
    assert report["reports"] == {"illegal": 1, "private": 2}
    unknown = await client.post("/api/v1/shared/nowhere/report", json={"reason": "other"})
    assert (unknown.status_code, unknown.json()["code"]) == (404, "battle_not_found")
    other = await client.post(f"/api/v1/shared/{token}/report", json={"reason": "dull"})
    assert other.status_code == 422


async def test_what_is_taken_down_shows_nothing_and_is_not_shared_again(client, operator, finish, token):
    await client.post(f"/api/v1/shared/{token}/report", json={"reason": "illegal"})
    assert (await operator.post(f"/operator/shares/{token}/takedown", json={"reason": ""})).status_code == 422
    assert (
        await operator.post(f"/operator/shares/{token}/takedown", json={"reason": "a court's order"})
    ).status_code == 204
    assert (await client.get(f"/api/v1/shared/{token}")).status_code == 404
    assert (await operator.get("/operator/shares")).json() == []
    assert (await operator.post(f"/operator/shares/{token}/takedown", json={"reason": "again"})).status_code == 404
    battle_id = (await client.get("/api/v1/me/battles")).json()["battles"][0]["id"]
    with links_made() as links:
        again = await client.post(f"/api/v1/battles/{battle_id}/share")
    assert links == []
    assert (again.status_code, again.json()["code"]) == (409, "share_blocked")
    assert (await client.get("/api/v1/me/battles")).json()["battles"][0]["shared"] is None


@contextmanager
def links_made() -> Iterator[list[str]]:
    """Tokens of the links that are written meanwhile, even for an instant."""
    links: list[str] = []

    def note(_mapper: object, _connection: object, row: ShareRow) -> None:
        links.append(row.token)

    event.listen(ShareRow, "after_insert", note)
    yield links
    event.remove(ShareRow, "after_insert", note)


async def test_another_link_to_the_same_questions_and_answers_goes_down_with_it_and_so_do_its_pages(
    client, operator, finish, token
):
    other = await finish("What is shared?")
    await client.post(f"/api/v1/battles/{other}/vote", json={"outcome": "b"})
    twin = (await client.post(f"/api/v1/battles/{other}/share")).json()["token"]
    addresses = [f"/api/v1/shared/{twin}", f"/api/v1/shared/{twin}/pages"]
    assert [(await client.get(address)).status_code for address in addresses] == [200, 200]
    await operator.post(f"/operator/shares/{token}/takedown", json={"reason": "a court's order"})
    for address in addresses:
        gone = await client.get(address)
        assert (gone.status_code, gone.json()["code"]) == (404, "battle_not_found")


async def test_a_withdrawn_link_leaves_the_operators_list(client, operator, token):
    await client.post(f"/api/v1/shared/{token}/report", json={"reason": "other"})
    battle_id = (await client.get("/api/v1/me/battles")).json()["battles"][0]["id"]
    assert (await client.delete(f"/api/v1/battles/{battle_id}/share")).status_code == 204
    assert (await operator.get("/operator/shares")).json() == []
