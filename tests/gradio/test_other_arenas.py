"""An app whose arena is down, no arena, of another version, or for members only says so, and nothing is lost."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx2
import pytest
from gradio_client import Client
from gradio_client.exceptions import AppError
from playwright.sync_api import Browser, Page, expect

from tests.gradio.conftest import PATIENCE, ask, read, ready, start_app
from tests.processes import NEWCOMER, Process

pytestmark = [pytest.mark.process, pytest.mark.filterwarnings("default")]

SIGN_IN = '[header]\nname = "X-Forwarded-User"\nproxies = ["10.0.0.0/8"]\n'
FOREIGN = "does not answer as an arena of this version does"


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """An arena that is not started: its address is that of whatever a test has there."""
    folder = tmp_path_factory.mktemp("arena")
    arena = Process(folder, "serve", "--no-worker", **{**NEWCOMER, "ARENA_DATA": str(folder / "data")})
    yield arena
    arena.remove()


@pytest.fixture(scope="module")
def app(arena: Process, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    app = start_app(tmp_path_factory.mktemp("app"), arena.url)
    yield app
    app.stop()


@pytest.fixture(scope="module")
def client(app: Process) -> Client:
    return Client(app.url, verbose=False, analytics_enabled=False)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


def load(page: Page, app: Process) -> None:
    """Open the app."""
    page.goto(app.url)
    page.wait_for_selector("#battle-prompt textarea")


@contextmanager
def listening(arena: Process, handler: type[BaseHTTPRequestHandler]) -> Iterator[None]:
    """Another server at the arena's address."""
    with ThreadingHTTPServer(("127.0.0.1", arena.port), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield
        server.shutdown()
        thread.join()


def refusal(client: Client, *words: object, name: str) -> str:
    """What the app's API says instead of an answer."""
    with pytest.raises(AppError) as caught:
        client.predict(*words, api_name=name)
    return str(caught.value)


def test_an_arena_that_is_down_costs_no_text_and_the_battle_goes_on_after_it(app, client, arena, page):
    load(page, app)
    expect(page.locator("#practice")).to_contain_text("does not answer")
    read(page)
    arena.start()
    ask(page, "What is 17 × 23?", agree=False)
    expect(page.locator("#battle-trouble")).to_contain_text("Please tick the box above")
    read(page)
    ask(page, "What is 17 × 23?")
    ready(page)
    arena.stop()
    ask(page, "And 3 + 4?", agree=False)
    expect(page.locator("#battle-trouble")).to_contain_text("does not answer")
    read(page)
    assert page.input_value("#battle-prompt textarea") == "And 3 + 4?"
    page.click("#vote-a")
    expect(page.locator("#battle-notice")).to_contain_text("does not answer")
    read(page)
    assert "does not answer" in refusal(client, name="/models")
    blind = page.context.new_page()  # it has the battle, but not its answers
    blind.goto(app.url)
    expect(blind.locator("#battle-notice")).to_contain_text("does not answer")
    expect(blind.locator("#vote-a")).to_be_disabled()
    arena.start()
    blind.reload()
    expect(blind.locator("#battle-a .bot")).to_contain_text("391")
    ready(blind)
    blind.close()
    page.click("#vote-a")
    expect(page.locator("#battle-after")).to_contain_text("You chose A")
    arena.stop()


def test_a_vote_without_the_required_bot_check_says_so_and_links_to_the_page(app, arena, page):
    arena.environment["ARENA_BOT_CHECK"] = "require"
    arena.start()
    load(page, app)
    ask(page, "What is 17 × 23?")
    ready(page)
    page.click("#vote-a")
    after = page.locator("#battle-after")
    expect(after).to_contain_text("not counted: your browser has not finished today's bot check")
    expect(after.get_by_role("link", name="Do this on the arena's own page")).to_have_attribute("href", f"{arena.url}/")
    expect(page.locator("#elsewhere")).to_contain_text("robot check")
    arena.stop()
    del arena.environment["ARENA_BOT_CHECK"]


def test_an_address_that_is_no_arena_is_told_so(app, client, arena, page):
    with listening(arena, Silent):
        for name in ("/leaderboard", "/models"):
            assert FOREIGN in refusal(client, name=name)
        load(page, app)
        expect(page.locator("#practice")).to_contain_text(FOREIGN)


class Silent(SimpleHTTPRequestHandler):
    """Files of a folder, as any web server has them."""

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments, directory=str(Path(__file__).parent))  # pyright: ignore[reportArgumentType]

    def log_message(self, *_: object) -> None:
        pass


def test_an_arena_of_another_version_is_told_so(app, client, arena, page, serve):
    real_arena = serve("--no-worker")

    class Other(BaseHTTPRequestHandler):
        """The answers of a real arena with other names of fields."""

        def do_GET(self) -> None:
            value = httpx2.get(f"{real_arena.url}{self.path}").json()
            content = json.dumps(renamed(value)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    with listening(arena, Other):
        for words, name in (((), "/leaderboard"), ((), "/models"), (("Hello", 1), "/ask")):
            assert FOREIGN in refusal(client, *words, name=name)
        load(page, app)
        expect(page.locator("#practice")).to_contain_text(FOREIGN)
        ask(page, "Hello", agree=False)
        expect(page.locator("#battle-trouble")).to_contain_text(FOREIGN)
        assert page.input_value("#battle-prompt textarea") == "Hello"


def renamed(value: object) -> object:
    if isinstance(value, list):
        return [renamed(item) for item in value]
    return {f"{name}_2": renamed(item) for name, item in value.items()} if isinstance(value, dict) else value


def test_an_arena_for_members_refuses_in_its_own_words_and_the_app_links_there(app, client, arena, page, tmp_path):
    sign_in = tmp_path / "sign_in.toml"
    sign_in.write_text(SIGN_IN)
    arena.environment |= {"ARENA_ACCESS": "members", "ARENA_SIGN_IN": str(sign_in)}
    arena.start()
    refused = httpx2.get(f"{arena.url}/api/v1/status").json()
    assert refused["code"] == "sign_in_required"
    for words, name in (((), "/leaderboard"), (("Hello", 1), "/ask")):
        assert refused["title"] in refusal(client, *words, name=name)
    load(page, app)
    expect(page.locator("#practice")).to_contain_text(refused["title"])
    assert page.locator("#practice a").get_attribute("href") == f"{arena.url}/"
    ask(page, "Hello", agree=False)
    expect(page.locator("#battle-trouble")).to_contain_text(refused["title"])
    expect(page.locator("#elsewhere a")).to_have_attribute("href", f"{arena.url}/")
    arena.stop()
