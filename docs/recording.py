"""Records the moving picture of README: one battle of the practice models on the real pages, in Chromium.

uv run python docs/recording.py deploy/battle.webp
"""

from __future__ import annotations

import io
import os
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

import httpx2
from PIL import Image

from benchmarks.pages.browser import opened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Page

QUESTION: Final = "Why is the sky blue?"
WIDTH, HEIGHT = 960, 640
FRAME_MS: Final = 160
"""How long the picture shows a frame, and about how often one is taken."""
LAST_FRAME_MS: Final = 4000
MAX_BYTES: Final = 1_500_000
MAX_FRAMES: Final = 400
REST_FRAMES: Final = 6
START_SECONDS: Final = 60


class Recording:
    """Frames of a page, taken while something is done on it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.frames: list[Image.Image] = []

    def take(self) -> None:
        """Take one frame, then let the page run for the time of a frame."""
        self.frames.append(Image.open(io.BytesIO(self.page.screenshot())).convert("RGB"))
        self.page.wait_for_timeout(FRAME_MS)

    def take_until(self, done: Callable[[], bool]) -> None:
        """Take frames until something is so.

        Raises:
            RuntimeError: It took more frames than a picture may have.
        """
        while not done():
            if len(self.frames) > MAX_FRAMES:
                raise RuntimeError("the battle takes longer than a picture may last")
            self.take()

    def rest(self) -> None:
        """Take frames for as long as a reader needs to see what is there."""
        for _ in range(REST_FRAMES):
            self.take()

    def save(self, path: Path) -> None:
        """Write the frames as one moving picture, in which equal frames are one.

        Raises:
            RuntimeError: The picture is larger than README's may be.
        """
        durations = [FRAME_MS] * (len(self.frames) - 1) + [LAST_FRAME_MS]
        first, *others = self.frames
        first.save(path, save_all=True, append_images=others, duration=durations, loop=0, quality=60, method=6)
        if path.stat().st_size > MAX_BYTES:
            raise RuntimeError(f"{path} has {path.stat().st_size} bytes, more than {MAX_BYTES}")


@contextmanager
def served() -> Iterator[str]:
    """The address of a new arena with the scripted models."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    with TemporaryDirectory() as folder:
        environment = os.environ | {"ARENA_DATA": folder, "ARENA_LOCAL": "off", "ARENA_GRADIO": "off"}
        server = subprocess.Popen(  # noqa: S603 - our own command
            [sys.executable, "-m", "arena", "serve", "--port", str(port)], env=environment, stdout=subprocess.DEVNULL
        )
        try:
            _wait(url)
            yield url
        finally:
            server.terminate()
            server.wait()


def _wait(url: str) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        try:
            if httpx2.get(f"{url}/readyz").is_success:
                return
        except httpx2.TransportError:
            pass
        time.sleep(0.2)
    raise RuntimeError("the arena did not start")


def record(page: Page, url: str) -> Recording:
    """A battle from the question to the names."""
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.goto(url)
    recording = Recording(page)
    box = page.get_by_role("textbox").first
    for letter in QUESTION:
        box.press_sequentially(letter)
        recording.take()
    box.press("Enter")
    recording.take()
    page.get_by_role("button", name="Agree and send").click()
    vote = page.get_by_role("button", name="A is better")
    recording.take_until(lambda: vote.is_visible() and vote.is_enabled())
    recording.rest()
    vote.click()
    recording.take_until(page.get_by_text("You chose").first.is_visible)
    recording.rest()
    return recording


if __name__ == "__main__":
    with served() as address, opened() as browser, browser.blank() as blank:
        record(blank, address).save(Path(sys.argv[1]))
