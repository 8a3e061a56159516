"""`arena site` sets, shows, exports and imports what the operator's page does."""

import json

import pytest

from tests.cli.commands import run


@pytest.fixture
def site(tmp_path):
    return lambda *words, data="arena": run("site", *words, ARENA_DATA=str(tmp_path / data))


def test_what_is_set_is_shown_and_an_empty_value_takes_it_back(site):
    assert site("set", "name", "Class 7b").stdout == "name is set.\n"
    site("set", "languages", "en, zh")
    site("set", "announcement.en", "Closed on Monday.")
    site("set", "announcement.zh", "周一关闭。")
    assert site("show", "languages").stdout == "zh, en\n"
    assert site("set", "announcement.en").stdout == "announcement.en is taken back.\n"
    shown = json.loads(site("show", "--json").stdout)
    assert {row["key"]: row["value"] for row in shown} == {
        "name": "Class 7b",
        "languages": "zh, en",
        "prompt_checks": "off",
        "announcement.zh": "周一关闭。",
    }


def test_a_page_begins_as_a_draft_and_is_published_from_a_file(site, tmp_path):
    draft = site("show", "imprint.en").stdout
    assert draft.startswith("> **Draft.**")
    file = tmp_path / "imprint.md"
    file.write_text(draft, "utf-8")
    refused = site("set", "imprint.en", "--file", str(file))
    assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)
    assert "imprint.en: fill in or remove > **Draft first" in refused.stderr
    file.write_text("# Example University\n", "utf-8")
    assert site("set", "imprint.en", "--file", str(file)).returncode == 0
    site("set", "imprint.zh", "示例大学")
    assert site("show", "imprint.en").stdout == "# Example University\n"
    shown = json.loads(site("show", "--json").stdout)
    assert [tuple(row.values()) for row in shown if row["key"].startswith("imprint")] == [
        ("imprint.en", "# Example University", 2),
        ("imprint.zh", "示例大学", 2),
    ]


def test_a_test_arena_becomes_the_real_one_by_one_file(site, tmp_path):
    site("set", "name", "Ours")
    site("set", "prompt_checks", "block")
    site("set", "ideas.en", "Why is the sky blue?")
    site("set", "terms.en", "Be kind.")
    file = tmp_path / "site.json"
    assert site("export", str(file)).returncode == 0
    assert "is set" in site("import", str(file), data="real").stdout
    assert site("export", "-", data="real").stdout == file.read_text("utf-8")


@pytest.mark.process
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("set", "nme", "x"), "nme: one of name, mark, languages, prompt_checks, accent, announcement.en"),
        (("set", "imprint.fr", "x"), "imprint.fr: one of"),
        (("set", "languages", "en,fr"), "languages.fr: one of zh, zh-TW, en"),
        (("set", "prompt_checks", "loud"), "prompt_checks: one of off, log, warn, block"),
        (("set", "name", "x" * 41), "name: 1 to 40 printable characters"),
        (("set", "mark", "--file", "mark.svg"), "This is no PNG, JPEG or WebP image."),
        (("set", "imprint.en", "--file", "none.md"), "none.md: No such file"),
        (("import", "mark.svg"), "This is no file of `arena site export`."),
        (("import", "newer.json"), "This file has version 2, and this arena reads up to 1"),
        (("import", "odd.json"), "colour: there is no such field"),
    ],
)
def test_a_wrong_value_is_one_sentence_and_nothing_is_set(site, tmp_path, monkeypatch, words, sentence):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mark.svg").write_text("<svg><script>alert(1)</script></svg>")
    (tmp_path / "newer.json").write_text('{"format": "arena-site", "version": 2}')
    (tmp_path / "odd.json").write_text('{"format": "arena-site", "version": 1, "name": "x", "colour": "red"}')
    refused = site(*words)
    assert refused.returncode == 1
    assert sentence in refused.stderr
    assert len(refused.stderr.splitlines()) == 1
    assert [row["key"] for row in json.loads(site("show", "--json").stdout)] == ["prompt_checks"]
