"""Closing says what is missing, and asks; without somebody to answer, nothing is closed."""

from tests.cli.commands import run


def test_close_says_what_is_missing_and_closes_only_if_that_is_wanted(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path / "data"), "ARENA_LOCAL": "off"}
    (tmp_path / "a.csv").write_text("question,old,new\nWhat?,x,y\nWho?,x,\n")
    run("compare", str(tmp_path / "a.csv"), **settings)
    asked = run("evaluations", "close", "a", "--publish", **settings)
    assert asked.returncode == 1
    assert asked.stdout.startswith("a has 3 of 4 answers and 0 of 3 annotations.\nClose it all the same?")
    assert "open" in run("evaluations", "status", "a", **settings).stdout
    assert run("evaluations", "close", "a", "--publish", "--yes", **settings).stdout.startswith("a is closed; ")
