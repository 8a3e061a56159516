import json

from arena.usecases.exchange.writer import export_pages


async def test_everybody_can_have_the_log_without_texts_and_voters(client, finish):
    for outcome in ("a", "tie"):
        battle_id = await finish("a very private prompt")
        await client.post(f"/api/v1/battles/{battle_id}/vote", json={"outcome": outcome})
    answer = await client.get("/api/v1/votes/export")
    votes = [json.loads(line) for line in answer.text.splitlines()]
    assert [vote["outcome"] for vote in votes] == ["a", "tie"]
    assert {vote["voter"] for vote in votes} == {votes[0]["voter"]}
    assert "private" not in answer.text
    again = await client.get("/api/v1/votes/export")
    assert json.loads(again.text.splitlines()[0])["voter"] != votes[0]["voter"]


async def test_an_empty_log_is_an_empty_file(client):
    assert (await client.get("/api/v1/votes/export")).text == ""


async def test_the_pieces_add_up_to_the_log(client, finish, runtime):
    for _ in range(5):
        battle_id = await finish()
        cast = await client.post(f"/api/v1/battles/{battle_id}/vote", json={"outcome": "b"})
        assert cast.status_code == 200
    pieces = [piece async for piece in export_pages(runtime.database, salt=b"s", size=2)]
    assert [piece.count(b"\n") for piece in pieces] == [2, 2, 1]
    numbers = [json.loads(line)["number"] for line in b"".join(pieces).splitlines()]
    assert numbers == [1, 2, 3, 4, 5]
