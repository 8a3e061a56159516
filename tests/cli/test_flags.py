from tests.cli.commands import run


def test_a_part_is_closed_seen_closed_and_opened(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path)}
    assert "voting is closed." in run("flags", "close", "voting", "--reason", "moving house", **settings).stdout
    listed = run("flags", "list", **settings).stdout
    assert "moving house" in listed
    assert listed.count("closed") == 1
    run("flags", "open", "voting", **settings)
    assert "closed" not in run("flags", "list", **settings).stdout


def test_an_unknown_part_is_refused(tmp_path):
    done = run("flags", "close", "everything", ARENA_DATA=str(tmp_path))
    assert done.returncode == 2
    assert "battles" in done.stderr
