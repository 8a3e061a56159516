"""What Gradio gives is kept for the next start, and never longer than it is true."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import copytree, ignore_patterns
from unittest.mock import Mock, patch

import pytest

import arena
from arena_frontend import page_cache, render
from arena_frontend.render import PAGES, THEME
from arena_frontend.texts import LANGUAGES

PAGE = {"en": {"/": "<html>"}}


class Gradio:
    """Stands for the seconds that a rendering takes, and counts them."""

    def __init__(self) -> None:
        self.asked = 0
        self.meanwhile = lambda: None

    def __call__(self, _prefix: str) -> page_cache.Drafts:
        self.asked += 1
        self.meanwhile()
        return PAGE


@pytest.fixture
def gradio(monkeypatch: pytest.MonkeyPatch) -> Gradio:
    gradio = Gradio()
    monkeypatch.setattr(page_cache, "render", gradio)
    return gradio


def test_every_page_and_style_sheet_is_there_in_every_language() -> None:
    found = page_cache.load()
    assert set(found) == set(LANGUAGES)
    assert all(set(pages) == {*PAGES, THEME} for pages in found.values())


@pytest.mark.process
def test_a_process_that_serves_never_loads_gradio() -> None:
    asked = """
import asyncio, sys, httpx2
import arena.serving.composition
from arena_frontend.app import create_app
async def ask():
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=create_app()), base_url="http://arena") as client:
        return (await client.get("/")).status_code
print(asyncio.run(ask()), "gradio" in sys.modules, "numba" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["200", "False", "False"]


def test_the_child_imports_from_where_its_parent_does_and_nothing_from_inside_the_arena() -> None:
    with patch.object(page_cache.subprocess, "run", return_value=Mock(stdout="{}")) as run:
        page_cache.render_in_child()
    paths = [Path(path) for path in run.call_args.kwargs["env"]["PYTHONPATH"].split(os.pathsep)]
    package = Path(arena.__file__).parent
    assert {package.parent, page_cache.SOURCES.parent} <= set(paths)
    assert not [path for path in paths if path.is_relative_to(package) or path.is_relative_to(page_cache.SOURCES)]


def test_the_next_process_finds_what_the_first_one_made(tmp_path: Path, gradio: Gradio) -> None:
    assert [page_cache.make(tmp_path / "kept") for _ in range(2)] == [PAGE, PAGE]
    assert gradio.asked == 1


def test_processes_that_start_together_render_once(tmp_path: Path, gradio: Gradio) -> None:
    with ThreadPoolExecutor(4) as processes:
        assert list(processes.map(page_cache.make, [tmp_path] * 4)) == [PAGE] * 4
    assert gradio.asked == 1


def test_any_changed_byte_of_the_pages_makes_them_anew(tmp_path: Path) -> None:
    sources = copytree(page_cache.SOURCES, tmp_path / "frontend", ignore=ignore_patterns("__pycache__"))
    known = {page_cache.digest(sources)}
    assert known == {page_cache.digest()}
    for name in ("pages/battle.py", "locales/zh.json", "assets/battle.js", "locales/about.en.md"):
        path = sources / name
        path.write_bytes(path.read_bytes() + b" ")
        known.add(page_cache.digest(sources))
    (sources / "new.txt").touch()
    known.add(page_cache.digest(sources))
    assert len(known) == 6


def test_another_gradio_makes_the_pages_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    class Installed:
        listed: str | None = "gradio/routes.py,sha256=0,1"

        def read_text(self, _name: str) -> str | None:
            return self.listed

    monkeypatch.setattr(page_cache, "distribution", lambda _name: Installed())
    one = page_cache.digest()
    Installed.listed = "gradio/routes.py,sha256=1,1"
    assert one != page_cache.digest()
    Installed.listed = None
    assert page_cache.digest() is None


def test_nothing_is_kept_when_nobody_knows_what_gradio_is_installed(
    tmp_path: Path, gradio: Gradio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_cache, "digest", lambda: None)
    assert [page_cache.make(tmp_path) for _ in range(2)] == [PAGE, PAGE]
    assert (gradio.asked, list(tmp_path.iterdir())) == (2, [])


def test_what_changed_while_it_was_read_is_not_kept(
    tmp_path: Path, gradio: Gradio, monkeypatch: pytest.MonkeyPatch
) -> None:
    gradio.meanwhile = lambda: monkeypatch.setattr(page_cache, "digest", lambda: "new")
    page_cache.make(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_pages_of_another_digest_are_thrown_away(tmp_path: Path, gradio: Gradio) -> None:
    (tmp_path / "pages-0.json").write_text("{}")
    page_cache.make(tmp_path)
    (kept,) = tmp_path.iterdir()
    assert kept.name == f"pages-{page_cache.digest()}.json"


def test_a_broken_file_counts_for_nothing(tmp_path: Path, gradio: Gradio) -> None:
    (tmp_path / f"pages-{page_cache.digest()}.json").write_text('{"en": {"/": "<ht')
    assert page_cache.make(tmp_path) == PAGE


def test_a_folder_that_cannot_be_written_keeps_nothing_and_stops_nothing(tmp_path: Path, gradio: Gradio) -> None:
    (tmp_path / "file").touch()
    assert page_cache.make(tmp_path / "file" / "kept") == PAGE


@pytest.mark.process
def test_no_setting_and_no_secret_of_the_arena_reaches_gradio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    child = tmp_path / "python"
    child.write_text("""#!/bin/sh\nprintf '{"en": {"/": "%s of %s"}}' "$(env | grep -c ^ARENA_)" "$OTHER"\n""")
    child.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(child))
    monkeypatch.setattr(page_cache, "digest", lambda: None)
    monkeypatch.setenv("ARENA_SECRET", "hush-7431")
    monkeypatch.setenv("OTHER", "many")
    assert page_cache.load() == {"en": {"/": "0 of many"}}


def test_settings_of_gradio_do_not_reach_the_pages() -> None:
    with patch.dict(os.environ, {"GRADIO_ROOT_PATH": "https://elsewhere.example", "GRADIO_THEME": "x/y"}):
        render._quieten("folder")
        settings = {name for name in os.environ if name.startswith("GRADIO_")}
    assert settings == {"GRADIO_ANALYTICS_ENABLED", "GRADIO_TEMP_DIR"}
