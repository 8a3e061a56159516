"""`/gradio` is closed, leads elsewhere, or starts the app, as the settings say."""

from __future__ import annotations

import httpx2
import pytest
from starlette.applications import Starlette

from arena.serving.gradio_door import GradioDoor
from arena.serving.serve import _announce
from arena.settings import Settings
from tests.processes import SECRET


async def visit(language: str = "en", cookie: str = "", **settings) -> httpx2.Response:
    door = GradioDoor(Settings(**settings), ("127.0.0.1", 8000))
    app = Starlette(routes=[door.route])
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://127.0.0.1:8000") as client:
        return await client.get("/gradio", headers={"Accept-Language": language, "Cookie": cookie})


class Listener:
    """Stands at the usual address."""

    def getsockname(self) -> tuple[str, int]:
        return "127.0.0.1", 8000


def announced(folder, capsys, **settings) -> str:
    _announce(Settings(data=folder, **settings), Listener())  # pyright: ignore[reportArgumentType]
    return capsys.readouterr().out


@pytest.mark.parametrize(
    "settings", [{"gradio": "off"}, {"trusted_hops": 1}, {"gradio": "off", "gradio_url": "http://a"}]
)
async def test_it_is_closed_where_the_operator_or_a_proxy_closes_it_and_nothing_leads_there(settings, tmp_path, capsys):
    assert (await visit(**settings)).status_code == 404
    assert announced(tmp_path, capsys, **settings) == "The arena is open: http://127.0.0.1:8000\n"


@pytest.mark.parametrize("settings", [{}, {"trusted_hops": 1, "gradio_url": "http://a"}])
def test_the_line_of_serve_names_the_app_where_it_is_open(settings, tmp_path, capsys):
    assert announced(tmp_path, capsys, **settings).endswith(" (as a Gradio app: http://127.0.0.1:8000/gradio)\n")


@pytest.mark.parametrize(("language", "path"), [("en", ""), ("zh-CN", "zh"), ("zh-TW", "zh-tw")])
async def test_it_leads_to_where_the_app_is_deployed_in_the_visitors_language(language, path):
    reply = await visit(language, gradio_url="https://gradio.arena.example/", trusted_hops=1)
    assert (reply.status_code, reply.headers["location"]) == (303, f"https://gradio.arena.example/{path}")


@pytest.mark.parametrize("broken", ["", "=", "[]=1", 'other={"a": 1}', 'other="\\', "arena lang", "arena_lang=[7]"])
async def test_a_broken_cookie_leaves_the_chosen_language_as_it_is(broken):
    settings = {"gradio_url": "https://gradio.arena.example", "trusted_hops": 1}
    reply = await visit(cookie=f"{broken}; arena_lang=zh-TW", **settings)
    assert reply.headers["location"] == "https://gradio.arena.example/zh-tw"


def test_the_app_gets_the_token_and_no_other_setting(monkeypatch, tmp_path):
    monkeypatch.setenv("ARENA_SECRET", SECRET)
    environment = GradioDoor(Settings(data=tmp_path), ("127.0.0.1", 8000))._environment()
    assert {name for name in environment if name.startswith("ARENA_")} == {"ARENA_GRADIO_TOKEN"}
    assert SECRET not in environment.values()
