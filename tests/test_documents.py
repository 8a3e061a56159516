"""What README and documents show works as shown, and what they name exists."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from arena.serving.commands import COMMANDS
from benchmarks.commands import app
from tests.cli.commands import run
from tests.paths import FIXTURES, PYTHONPATH, ROOT
from tests.typed_commands import command_lines, fault

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
TESTS_ONLY = {f"ARENA_TEST_{name}" for name in ("CHROMIUM", "KUBECONFORM", "LOCAL_SECONDS", "POSTGRES", "REDIS")}
MADE_WHEN_USED = {"deploy/backups"}
PROXY = (ROOT / "deploy" / "nginx" / "default.conf.template").read_text()


def names(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.process
def test_the_example_of_the_library_prints_a_leaderboard(tmp_path):
    (example,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "researchers.md").read_text(), re.DOTALL)
    shutil.copy(FIXTURES / "llmfao_200.csv", tmp_path / "votes.csv")
    printed = subprocess.run(
        [sys.executable, "-c", example],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": PYTHONPATH},
    )
    lines = printed.stdout.splitlines()
    assert len(lines) >= 10
    assert lines[0].split()[0] == "1"


@pytest.mark.process
def test_the_feedback_of_the_document_gives_its_boards_by_command_and_by_library(tmp_path, monkeypatch):
    text = (ROOT / "docs" / "imports.md").read_text()
    (printed,) = re.findall(r"```\n\$ uv run arena (rank feedback.json)\n(.*?)```", text, re.DOTALL)
    ((example, output),) = re.findall(r"```python\n(.*?)```\n\n```\n(.*?)```", text, re.DOTALL)
    shutil.copy(FIXTURES / "feedback.json", tmp_path)
    monkeypatch.chdir(tmp_path)
    assert run(*printed[0].split()).stdout == printed[1]
    done = subprocess.run(
        [sys.executable, "-c", example], check=False, capture_output=True, text=True, env={"PYTHONPATH": PYTHONPATH}
    )
    assert done.stdout == output, done.stderr


FENCED = re.compile(r"(?ms)^ *```.*?^ *```$")


LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
SETTING = re.compile(r"ARENA_[A-Z_]+[A-Z]")
SOURCE = re.compile(r"`((?:arena|benchmarks|frontend|tests|deploy|docs|migrations)/[\w./-]+\w)[/`]")

MODULE = re.compile(r"`([\w/-]+\.py)\b")
FOREIGN = {"rating_systems.py"}
"""Files of other projects."""


@pytest.mark.parametrize("named", [LINK, SETTING, SOURCE], ids=["links", "settings", "sources"])
def test_the_documents_name_some(named):
    assert len({found for page in PAGES for found in named.findall(page.read_text())}) > 20


def test_every_link_leads_to_a_file():
    broken = [(names(p), path) for p in PAGES for path in LINK.findall(p.read_text()) if not (p.parent / path).exists()]
    assert broken == []


ANCHOR = re.compile(r"\]\(([^)#:]*)#([^)]+)\)")


def anchors(page: Path) -> set[str]:
    """Of the headings of a page, as sites of documents name them."""
    headings = re.findall(r"(?m)^#+ (.+)$", FENCED.sub("", page.read_text()))
    return {re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower()) for heading in headings}


def test_every_link_to_a_part_of_a_page_leads_to_a_heading():
    broken = [
        (names(page), path, anchor)
        for page in PAGES
        for path, anchor in ANCHOR.findall(page.read_text())
        if anchor not in anchors(page.parent / path if path else page)
    ]
    assert broken == []


def test_every_setting_that_is_named_exists():
    settings = (ROOT / "arena" / "settings.py").read_text()
    sources = "\n".join(path.read_text() for path in (ROOT / "arena").rglob("*.py"))
    named = {(names(page), name) for page in PAGES for name in SETTING.findall(page.read_text())}
    unknown = [
        (page, name)
        for page, name in sorted(named)
        if f"{name.removeprefix('ARENA_').lower()}:" not in settings
        if f'"{name}"' not in sources and f"${{{name}}}" not in PROXY and name not in TESTS_ONLY
    ]
    assert unknown == []


def test_every_source_that_is_named_exists():
    named = {(names(page), path) for page in PAGES for path in SOURCE.findall(page.read_text())}
    exists = {path for _, path in named if (ROOT / path).exists() or (ROOT / f"{path}.py").exists()}
    assert {(page, path) for page, path in named if path not in exists | MADE_WHEN_USED} == set()


def test_every_python_file_that_is_named_by_its_last_folders_exists():
    named = {file for page in PAGES for file in MODULE.findall(page.read_text())}
    assert len(named) > 40
    tracked = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True)
    files = [f"/{line}" for line in tracked.stdout.splitlines()]
    assert {file for file in named if not any(path.endswith(f"/{file}") for path in files)} == FOREIGN


def test_every_function_of_the_walks_exists():
    named = re.findall(r"`([\w/]+\.py): (\w+)`", (ROOT / "docs" / "architecture.md").read_text())
    assert len(named) > 12
    for file, function in named:
        found = [path for folder in ("arena", "frontend") for path in (ROOT / folder).rglob(file)]
        assert any(re.search(rf"(?m)^(async )?def {function}\(", path.read_text()) for path in found), (file, function)


def test_every_benchmark_that_is_named_exists():
    words = set(re.findall(r"uv run benchmarks ([a-z-]+)", "\n".join(page.read_text() for page in PAGES)))
    assert len(words) > 3
    group = get_command(app)
    assert isinstance(group, TyperGroup)
    assert words <= group.commands.keys()


WRITTEN = [*(ROOT / "docs").glob("*.md"), *(ROOT / "docs/walks").glob("*.md")]
GUIDES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(WRITTEN)]
CODE = re.compile(r"(?ms)```.*?```|`[^`\n]+`|^ {4}\S[^\n]*$")
TYPED = re.compile(rf"(?<![\w./-])(uv run (?:--no-dev )?)?arena (?:{'|'.join(COMMANDS)}|--help)\b")
INSTALLED = re.compile(r"pip install|docker|compose")
"""Where the command is of a wheel or in a container, and `arena` alone is right."""


def test_a_command_is_written_as_one_types_it_in_the_source_tree():
    lines = [line for page in GUIDES for code in CODE.findall(page.read_text()) for line in code.splitlines()]
    typed = [(line, found[1]) for line in lines if not INSTALLED.search(line) for found in TYPED.finditer(line)]
    assert [line for line, prefix in typed if not prefix] == []


def test_the_guides_name_many_commands():
    assert sum(len(TYPED.findall(page.read_text())) for page in GUIDES) > 100


PICTURES = {".png", ".webp"}
DEPLOYED = [path for path in (ROOT / "deploy").rglob("*") if path.is_file() and path.suffix not in PICTURES]


def test_the_parser_takes_every_command_as_it_is_typed():
    faults = {}
    for page in (*GUIDES, *(ROOT / "packages").glob("*/README.md"), *DEPLOYED):
        code = CODE.findall(page.read_text()) if page.suffix == ".md" else page.read_text().splitlines()
        faults |= {(names(page), line): fault(line) for piece in code for line in command_lines(piece)}
    assert len(faults) > 100
    assert {line: error for line, error in faults.items() if error} == {}


@pytest.mark.parametrize("line", ["log restart", "images block FILE", "rank --no", "evaluations status", "log key"])
def test_the_parser_refuses_what_lacks_something(line):
    assert fault(line)


def test_the_site_has_three_pictures_that_are_small_and_say_what_they_show():
    pictures = {path.name: path.stat().st_size for path in (ROOT / "deploy").glob("*.png")}
    shown = [
        text
        for page in (ROOT / "docs").rglob("*.md")
        for text in re.findall(r"!\[(.*?)\]\(.*?/deploy/(.*?)\)", page.read_text("utf-8"))
    ]
    assert {name for _, name in shown} == pictures.keys() == {"battle.png", "board.png", "report.png"}
    assert all(len(text.split()) > 5 for text, _ in shown)
    assert max(pictures.values()) < 150_000
