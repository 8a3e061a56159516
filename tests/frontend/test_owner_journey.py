"""What a new owner does, from the first visit to the last: a real arena, a real browser, and as the model a server that
none of us wrote, llama.cpp's own, behind a key."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.processes import run_command
from tests.providers.tiny_gguf import write_tiny_gguf

from .test_real_arena import COMPILED, arena, ask

pytestmark = pytest.mark.timeout(900)

SERVER_KEY = "sk-of-the-server-0123456789"
OPERATOR_KEY = "the-operators-own-key-" + "7" * 24
MODEL = "tiny-noise"
NAME = "Heron Tiny"
STATE = "#endpoint-state .a-state"
SUBMIT = "button[type=submit]"
SLOW = 180_000


@dataclass(frozen=True)
class Server:
    """llama.cpp's server with a model of random weights."""

    url: str

    @property
    def place(self) -> str:
        return urlsplit(self.url).netloc


@contextmanager
def llama_cpp(weights: Path) -> Iterator[Server]:
    order = {"weights": str(weights), "alias": MODEL, "key": SERVER_KEY, "threads": 1, "parallel": 2, "context": 4096}
    command = [sys.executable, "-m", "arena_providers.local.llama_server"]
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(command, text=True, stdin=pipe, stdout=pipe, stderr=nothing) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(json.dumps(order) + "\n")
        process.stdin.flush()
        yield Server(json.loads(process.stdout.readline())["url"])
        process.stdin.close()
        process.wait(60)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    pytest.importorskip("xllamacpp", reason="the package xllamacpp is not installed")
    weights = write_tiny_gguf(tmp_path_factory.mktemp("weights") / "tiny.gguf", endless=True)
    with llama_cpp(weights) as running:
        yield running


def operate(folder: Path, *arguments: str) -> str:
    """A command of the operator's on the folder of the arena that runs."""
    done = run_command(folder, *arguments, PEER_KEY=SERVER_KEY)
    done.check_returncode()
    return done.stdout


@pytest.fixture
def opened(server: Server, tmp_path: Path) -> Iterator[str]:
    """An arena with one other real model, whose operator has opened the owner's host and port."""
    where = ("--private", "--url", f"{server.url}/v1", "--wire-model", MODEL, "--key-env", "PEER_KEY")
    operate(tmp_path, "endpoints", "add", "Peer", "--owner", "The operator", *where, "--max-tokens", "48")
    settings = {"ARENA_EGRESS_ALLOW": server.place, "ARENA_OPERATOR_KEY": OPERATOR_KEY, "PEER_KEY": SERVER_KEY}
    with arena(tmp_path, **settings) as service:
        yield service.url


@pytest.fixture
def newcomer(browser: Browser, opened: str) -> Iterator[Page]:
    context = browser.new_context(locale="en-US", base_url=opened)
    yield context.new_page()
    context.close()


def sign_up(page: Page) -> str:
    page.goto("/")
    page.click("#foot a[href='/owners']")
    page.fill("#signup-name", "Heron Labs")
    page.fill("#signup-contact", "me@heron.example")
    page.click(f"#signup {SUBMIT}")
    key = page.locator("#api-key").input_value()
    page.click("[data-name=kept]")
    return key


def sign_in(page: Page, key: str) -> None:
    page.fill("#signin-api_key", key)
    page.click(f"#signin {SUBMIT}")


def register(page: Page, server: Server) -> None:
    """With a wrong address first, as it happens: the page says what is wrong, and keeps the rest."""
    page.click("#register-new")
    page.fill("#register-name", NAME)
    page.select_option("#register-source", "custom")
    page.fill("#register-url", "http://127.0.0.1:1/v1")
    page.fill("#register-wire_model", MODEL)
    page.fill("#register-key", SERVER_KEY)
    page.click("#register summary")
    page.fill("#register-max_tokens", "48")
    page.click(f"#register {SUBMIT}")
    expect(page.locator("#register-url-wrong")).to_contain_text("only the operator of this arena can allow")
    page.fill("#register-url", f"{server.url}/v1")
    page.click(f"#register {SUBMIT}")
    expect(page.locator(STATE)).to_have_text("Waiting for approval", timeout=SLOW)


def approve(page: Page, address: str) -> None:
    """The operator does, on the operator's own page."""
    operator = page.context.browser.new_context(locale="en-US").new_page()  # type: ignore[union-attr]
    operator.goto(f"{address}/operator")
    operator.fill("#operator-in-operator_key", OPERATOR_KEY)
    operator.click(f"#operator-in {SUBMIT}")
    operator.get_by_role("button", name=f"Approve: {NAME}").click()
    row = operator.locator("#operator-rows tr", has=operator.locator("th strong", has_text=NAME))
    expect(row.locator(".a-state")).to_have_text("In battles")
    operator.context.close()


def battle(page: Page) -> None:
    visitor = page.context.new_page()
    visitor.goto("/")
    ask(visitor, "Write a few lines about the autumn rain.")
    visitor.wait_for_selector("html[data-phase=ready]", timeout=SLOW)
    visitor.click("#vote_a")
    visitor.wait_for_selector("#reveal-box .a-card")
    expect(visitor.locator("#reveal-box")).to_contain_text(NAME)
    visitor.goto("/leaderboard")
    expect(visitor.locator("#board-rows")).to_contain_text(NAME, timeout=COMPILED)
    visitor.close()


def practice_answers(page: Page) -> bool:
    """Whether practice models take part, because fewer than two others do."""
    return page.request.get("/api/v1/status").json()["practice"]


def state_same(page: Page, folder: Path, key: str) -> None:
    """Both are the same file of weights: the owner says so, the operator confirms, and the owner takes it back."""
    stated = page.locator("#same-as-list li")
    page.fill("#same-as-form-model", "Perr")
    page.click(f"#same-as-form {SUBMIT}")
    expect(page.locator("#same-as-form-wrong")).to_contain_text("no such model")
    page.fill("#same-as-form-model", "Peer")
    page.click(f"#same-as-form {SUBMIT}")
    expect(stated).to_contain_text("Peer: waits until its owner or an operator confirms")
    expect(page.locator("#same-as-form-model")).to_have_value("")
    operate(folder, "endpoints", "same-as", NAME, "Peer")
    page.reload()
    sign_in(page, key)
    expect(stated).to_contain_text("Peer: confirmed")
    page.get_by_role("button", name="Take back: Peer").click()
    expect(stated).to_have_count(0)


def test_a_new_owner_joins_battles_pauses_changes_keys_and_leaves(
    newcomer: Page, opened: str, server: Server, tmp_path: Path
) -> None:
    first = sign_up(newcomer)
    register(newcomer, server)
    good = newcomer.locator(".a-checks li[data-result=good]")
    expect(good.filter(has_text="accepts the key")).to_have_count(1)
    expect(good.filter(has_text="proven to be yours")).to_have_count(1)
    expect(good.filter(has_text="first token")).to_have_count(3)
    approve(newcomer, opened)
    expect(newcomer.locator(STATE)).to_have_text("In battles", timeout=SLOW)

    battle(newcomer)
    newcomer.reload()
    sign_in(newcomer, first)
    # Battles are published in steps of many, votes at once.
    expect(newcomer.locator("#record dd").nth(0)).to_have_text("not counted yet")
    expect(newcomer.locator("#record dd").nth(2)).to_have_text("1")
    with newcomer.expect_download() as download:
        newcomer.click("[data-name=votes]")
    assert len(download.value.path().read_text().splitlines()) >= 1

    newcomer.click("[data-name=pause]")
    expect(newcomer.locator(STATE)).to_have_text("Paused")
    assert practice_answers(newcomer)
    newcomer.click("[data-name=resume]")
    expect(newcomer.locator(STATE)).to_have_text("In battles")
    assert not practice_answers(newcomer)

    state_same(newcomer, tmp_path, first)

    newcomer.fill("#key-form-key", SERVER_KEY)
    newcomer.click(f"#key-form {SUBMIT}")
    expect(newcomer.locator("#key-form-key")).to_have_value("")
    expect(newcomer.locator("#key-state")).to_contain_text(server.place)

    newcomer.click(".a-back a")
    newcomer.click("[data-name=rotate]")
    newcomer.click("dialog [data-name=confirm]")
    expect(newcomer.locator("#api-key")).not_to_have_value(first)
    second = newcomer.locator("#api-key").input_value()
    newcomer.click("[data-name=kept]")
    newcomer.click("[data-name=signout]")
    sign_in(newcomer, first)
    expect(newcomer.locator("#signin-wrong")).to_be_visible()
    sign_in(newcomer, second)

    newcomer.click(f".a-endpoints a:has-text('{NAME}')")
    newcomer.click("[data-name=retire]")
    newcomer.click("dialog [data-name=confirm]")
    expect(newcomer.locator(STATE)).to_have_text("Retired")
    assert practice_answers(newcomer)
    expect(newcomer.locator("#record dd").nth(2)).to_have_text("1")
    assert SERVER_KEY not in newcomer.content()
