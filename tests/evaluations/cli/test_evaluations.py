"""`arena evaluations`, from a set of questions to a report."""

import json
from itertools import combinations

from arena.evaluations.domain.people.designs import DESIGNS
from tests.cli.commands import run
from tests.evaluations.usecases.sets.files import own, question


def add_taste(tmp_path):
    """Define an evaluation of two practice models with one question; returns the settings of its arena."""
    settings = {"ARENA_DATA": str(tmp_path / "data"), "ARENA_LOCAL": "off"}
    file = tmp_path / "ours.jsonl"
    file.write_text(own(question()))
    run("questions", "import", str(file), **settings)
    models = ("--model", "abacus-brief", "--model", "abacus-letter")
    run("evaluations", "create", "taste", "--questions", "ours", *models, **settings)
    return settings


def test_an_evaluation_of_the_demo_models_is_created_run_judged_and_reported(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path / "data"), "ARENA_LOCAL": "off"}
    file, out = tmp_path / "ours.jsonl", tmp_path / "out.jsonl"
    file.write_text(own(question(), question(id="two", area="History")))
    run("questions", "import", str(file), **settings)
    new = ("evaluations", "create", "taste", "--questions", "ours")
    done = run(*new, "--from-file", "gull", "--from-file", "tern", **settings)
    assert done.stdout == "taste: 2 questions; `arena evaluations run taste` asks the models.\n"
    assert run("evaluations", "run", "taste", **settings).returncode == 0
    row = {"question": "one", "a": "tern", "b": "gull", "annotator": "p"}
    rows = [{**row, "outcome": "a"}, {**row, "question": "two", "outcome": "tie"}, {**row, "outcome": "x"}]
    out.write_text("".join(f"{json.dumps(each)}\n" for each in rows))
    done = run("evaluations", "import", "taste", str(out), **settings)
    assert done.stdout == "taste: 0 answers and 2 annotations added, 0 known already, 1 row refused.\n"
    assert done.stderr == "line 3: outcome: one of a, b, tie, both_bad, skip.\n"
    found = json.loads(run("evaluations", "report", "taste", "--json", **settings).stdout)
    assert [(each["name"], each["points"]) for each in found["board"]] == [("tern", 1.5), ("gull", 0.5)]
    assert "tern" in run("evaluations", "report", "taste", **settings).stdout
    assert json.loads(run("evaluations", "status", "taste", "--json", **settings).stdout)["annotations"] == 2
    assert "gull" in run("evaluations", "status", "taste", **settings).stdout
    assert "taste" in run("evaluations", "list", **settings).stdout
    assert run("evaluations", "judges", "taste", **settings).stdout.startswith("Nobody has judged taste")
    assert "no endpoint 'owl'" in run("evaluations", "judge", "taste", "--by", "owl", **settings).stderr
    run("evaluations", "export", "taste", str(out), **settings)
    assert len(out.read_text().splitlines()) == 3
    assert run("evaluations", "restore", "taste", **settings).stdout.startswith("Nothing to restore: ")
    assert run("evaluations", "report", "nowhere", **settings).stderr == "arena: There is no such evaluation.\n"


def test_status_says_why_a_model_was_not_asked(tmp_path):
    settings = add_taste(tmp_path)
    run("endpoints", "suspend", "abacus-letter", "--reason", "a look", **settings)
    done = run("evaluations", "run", "taste", **settings)
    reason = next(line.rpartition("; ")[2] for line in done.stdout.splitlines() if line.startswith("abacus-letter"))
    assert reason.startswith("stopped: ")
    assert f"abacus-letter: {reason}" in run("evaluations", "status", "taste", **settings).stdout.splitlines()
    run("endpoints", "resume", "abacus-letter", **settings)
    assert "stopped: " not in run("evaluations", "status", "taste", **settings).stdout


def test_what_no_key_scores_is_named_by_its_beginning_and_no_hash(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path / "data"), "ARENA_LOCAL": "off"}
    file = tmp_path / "mc.csv"
    file.write_text("Question,A,B,Answer\nCapital of France?,Paris,Rome,Tours\n1+1=?,1,2,2\nWhich?,a,b,ｂ\n")
    run("questions", "import", str(file), **settings)
    new = ("evaluations", "create", "exam", "--questions", "mc", "--protocol", "closed")
    done = run(*new, "--model", "abacus-brief", "--model", "abacus-letter", **settings)
    assert done.stderr == (
        "arena: Not to be scored by a key: «Capital of France?»: answer 'Tours' is none of A to B;"
        " «1+1=?»: answer '2' is a number and not a letter from A to B.\n"
    )


def test_a_judge_names_what_it_leaves_out_as_it_may_favour_its_own(tmp_path):
    settings = add_taste(tmp_path)
    run("evaluations", "run", "taste", **settings)
    run("endpoints", "use", "abacus-brief", "judging", **settings)
    left_out = "abacus-brief (the judge itself); abacus-letter (same owner)"
    assert run("evaluations", "judge", "taste", "--by", "abacus-brief", **settings).stdout.splitlines() == [
        "abacus-brief: 0 done, 0 failed, 0 left.",
        f"abacus-brief does not judge {left_out}: a judge may favour its own.",
        "So abacus-brief has nothing to judge: take a judge of another family and owner.",
    ]
    assert run("evaluations", "judges", "taste", **settings).stdout == (
        "Nobody has judged taste; `arena evaluations judge taste --by NAME` does, "
        "where NAME is a model of another family and owner than those judged.\n"
    )


def test_an_address_that_is_not_opened_for_the_command_is_not_told_as_an_unreachable_server(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path / "data"), "ARENA_LOCAL": "off", "ARENA_DEMO": "off"}
    opened = settings | {"ARENA_EGRESS_ALLOW": "127.0.0.1:9"}
    for name in ("gull", "tern"):
        where = ("--owner", "me", "--url", "http://127.0.0.1:9/v1", "--wire-model", "m", "--no-probe")
        assert run("endpoints", "add", name, *where, **opened).returncode == 0
        assert run("endpoints", "use", name, "evaluations", **opened).returncode == 0
    file = tmp_path / "ours.jsonl"
    file.write_text(own(question()))
    run("questions", "import", str(file), **settings)
    done = run(
        "evaluations", "create", "taste", "--questions", "ours", "--model", "gull", "--model", "tern", **settings
    )
    assert done.returncode == 0, done.stderr
    told = "This address may not be called from here: set ARENA_EGRESS_ALLOW as for `arena serve`."
    for again in ((), ("--retry",)):
        asked = run("evaluations", "run", "taste", *again, **settings).stdout
        assert "gull: 0 done, 1 failed (address_not_allowed 1), 0 left." in asked
        assert f"gull: {told}" in asked.splitlines()
        assert f"gull: {told}" in run("evaluations", "status", "taste", **settings).stdout.splitlines()
    asked = run("evaluations", "run", "taste", "--retry", **opened).stdout
    assert "gull: 0 done, 1 failed (unreachable 1), 0 left." in asked, "an opened address is dialled"
    assert told not in asked


def test_a_draft_that_holds_nothing_is_deleted_and_one_with_answers_stays(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path / "data"), "ARENA_LOCAL": "off"}
    file, answers = tmp_path / "ours.jsonl", tmp_path / "answers.jsonl"
    file.write_text(own(question()))
    answers.write_text(json.dumps({"question": "one", "model": "gull", "answer": "So."}))
    run("questions", "import", str(file), **settings)
    new = ("evaluations", "create", "taste", "--questions", "ours", "--from-file", "gull", "--from-file", "tern")
    for _ in range(2):
        assert run(*new, **settings).returncode == 0
        done = run("evaluations", "delete", "taste", **settings)
        assert (done.stdout, done.stderr) == ("taste is deleted.\n", "")
    run(*new, **settings)
    run("evaluations", "import", "taste", str(answers), **settings)
    done = run("evaluations", "delete", "taste", **settings)
    assert done.returncode == 1
    assert "or has answers, annotations or invitations, so it stays" in done.stderr


def test_thresholds_and_the_design_are_set_until_they_are_fixed(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path / "data"), "ARENA_LOCAL": "off"}
    file = tmp_path / "ours.jsonl"
    file.write_text(own(question()))
    run("questions", "import", str(file), **settings)
    new = ("evaluations", "create", "taste", "--questions", "ours")
    assert run(*new, "--from-file", "gull", "--from-file", "tern", **settings).returncode == 0

    def change(*options, name="taste"):
        done = run("evaluations", "set", name, *options, **settings)
        assert bool(done.stderr) == bool(done.returncode), done.stderr
        return done.stderr or done.stdout

    limits = ("--least-consistency", "0.6", "--least-right", "0.5")
    assert change(*limits) == "taste: design all; left out: consistency below 0.6, right below 0.5.\n"
    assert change("--design", "balanced", "--least-right", "0").endswith("balanced; left out: consistency below 0.6.\n")
    assert change() == "taste: design balanced; left out: consistency below 0.6.\n"
    assert change("--design", "pair-table").startswith("arena: The arena has no pair table; ")
    assert change("--design", "chess") == f"arena: There is no design 'chess'; there are: {', '.join(DESIGNS)}.\n"
    assert "'--least-right': Input should be less than or equal to 1\n" in change("--least-right", "1.5")
    assert "'--least-right': Input should be a valid number" in change("--least-right", "half")
    assert change("--design", "all", name="nowhere") == "arena: There is no such evaluation.\n"
    answers = [{"question": "one", "model": model, "answer": "So."} for model in ("gull", "tern")]
    file.write_text("".join(f"{json.dumps(each)}\n" for each in answers))
    run("evaluations", "import", "taste", str(file), **settings)
    assert run("evaluations", "open", "taste", **settings).returncode == 0
    fixed = "arena: The items of taste are drawn, so its design stays balanced.\n"
    assert change("--design", "all", "--least-consistency", "0.9") == fixed
    assert change("--least-consistency", "0") == "taste: design balanced; left out: nobody.\n"
    assert run("evaluations", "close", "taste", "--yes", **settings).returncode == 0
    closed = "arena: taste is closed, so nothing about it changes any more.\n"
    assert change("--least-right", "0.5") == closed
    assert change("--design", "all") == closed


def test_close_says_what_is_missing_and_closes_only_if_that_is_wanted(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path / "data"), "ARENA_LOCAL": "off"}
    (tmp_path / "a.csv").write_text("question,old,new\nWhat?,x,y\nWho?,x,\n")
    run("compare", str(tmp_path / "a.csv"), **settings)
    asked = run("evaluations", "close", "a", "--publish", **settings)
    assert asked.returncode == 1
    assert asked.stdout.startswith("a has 3 of 4 answers and 0 of 3 annotations.\nClose it all the same?")
    assert "open" in run("evaluations", "status", "a", **settings).stdout
    assert run("evaluations", "close", "a", "--yes", **settings).stdout.startswith("a is closed; ")
    closed = "arena: a is closed already; closing it with `publish` publishes its report.\n"
    assert run("evaluations", "close", "a", **settings).stderr == closed
    assert run("evaluations", "close", "a", "--publish", **settings).stdout == "The report of a is published.\n"
    assert run("evaluations", "close", "a", "--publish", **settings).stderr == "arena: a is closed already.\n"


def test_a_report_calls_models_that_every_judgement_makes_equal_equal(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path / "data"), "ARENA_LOCAL": "off"}
    file = tmp_path / "ours.jsonl"
    file.write_text(own(question(), question(id="two")))
    run("questions", "import", str(file), **settings)
    models = ("old", "new", "odd")
    pairs = [{"a": a, "b": b, "outcome": "tie"} for a, b in combinations(models, 2)]
    scores = [{"model": model, "tier": 1} for model in models]
    for protocol, rows, said in (
        ("pairwise", pairs, "Equal so far: old wins 0.50 of the comparisons against new, 95 % interval "),
        ("tiers", scores, " old, new, odd are equal so far; 2 of 2 pairs of neighbours cannot be told apart."),
    ):
        takes_part = [word for model in models for word in ("--from-file", model)]
        run("evaluations", "create", protocol, "--questions", "ours", "--protocol", protocol, *takes_part, **settings)
        judged = [{"question": name, "annotator": "p", **row} for name in ("one", "two") for row in rows]
        (tmp_path / "said.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in judged))
        done = run("evaluations", "import", protocol, str(tmp_path / "said.jsonl"), **settings)
        assert done.returncode == 0, done.stderr
        report = run("evaluations", "report", protocol, **settings).stdout
        assert said in report
        assert "answers to repeats  consistency  with consensus  against consensus  near the mean" in report
        assert "by chance" not in report


def test_stars_of_llmeval_1_are_read_as_published_and_reasons_are_told_by_kind(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path / "data"), "ARENA_LOCAL": "off"}
    file, stars = tmp_path / "set.jsonl", tmp_path / "stars.csv"
    file.write_text(own(*(question(id=f"Q{n}") for n in range(30))))
    run("questions", "import", str(file), **settings)
    run(
        "evaluations",
        "create",
        "l1",
        "--questions",
        "ours",
        "--protocol",
        "stars",
        "--from-file",
        "gull",
        "--from-file",
        "tern",
        **settings,
    )
    head = "id,question_uuid,llm_name,dialog_uuid,user_id,user_type,metric,score\n"
    criteria = ("accuracy", "fluency", "informativeness", "logicality", "harmlessness")
    lines = [f"1,Q{n},gull,d,-1,{{kind}},{name},2" for n in range(30) for name in criteria]
    lost = [f"1,Z{n},gull,d,-1,{{kind}},{name},2" for n in range(25) for name in criteria]
    stars.write_text(head + "\n".join(lost).format(kind="%") + "\n" + "\n".join(lines).format(kind="%") + "\n")
    refused = run("evaluations", "import", "l1", str(stars), **settings)
    assert refused.returncode == 1
    ids = "`arena questions export ours FILE` has the ids"
    assert [line.partition(": ")[2] for line in refused.stderr.splitlines()] == [
        "team: up to 24 letters, digits, spaces and dashes: '%' (and 29 rows like it)",
        f"question: neither an id nor a question of the set: 'Z0'; {ids} (and 24 rows like it)",
    ]
    stars.write_text(head + "\n".join(lost + lines).format(kind="-1") + "\n")
    done = run("evaluations", "import", "l1", str(stars), **settings)
    assert (done.returncode, done.stdout.split(",")[0]) == (0, "l1: 0 answers and 30 annotations added")
    assert run("evaluations", "import", "l1", str(stars), **settings).returncode == 0


def test_a_file_without_rows_adds_nothing_and_says_so(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path / "data"), "ARENA_LOCAL": "off"}
    file, rows = tmp_path / "ours.jsonl", tmp_path / "rows.csv"
    file.write_text(own(question(), question(id="two", area="History")))
    run("questions", "import", str(file), **settings)
    run("evaluations", "create", "a", "--questions", "ours", "--from-file", "gull", "--from-file", "tern", **settings)
    for text in ("", "hello", "question,a,b,outcome,annotator\r\n"):
        rows.write_text(text)
        empty = run("evaluations", "import", "a", str(rows), **settings)
        assert (empty.returncode, empty.stderr) == (1, f"arena: {rows}: there is no answer and no annotation in it.\n")
    rows.write_text("name\nx\n")
    refused = run("evaluations", "import", "a", str(rows), **settings)
    assert refused.stderr == f"arena: {rows}: no column question; there are: 'name'.\n"
    assert "agreement" not in run("evaluations", "report", "a", **settings).stdout


def test_multiple_choice_is_told_where_people_judge_and_asks_for_nobody_where_none_do(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path / "data"), "ARENA_LOCAL": "off"}
    file = tmp_path / "quiz.csv"
    file.write_text("question,A,B,answer\nWhat is 2 + 2?,4,5,A\nName a sea.,,,\n")
    run("questions", "import", str(file), **settings)
    models = ("--model", "abacus-brief", "--model", "abacus-letter")
    done = run("evaluations", "create", "people", "--questions", "quiz", *models, **settings)
    assert done.returncode == 0
    assert done.stderr == (
        "Multiple choice: 1 question. Models are asked without the options, and people judge;"
        " --protocol closed scores by the key.\n"
    )
    files = ("--from-file", "gull", "--from-file", "tern")
    assert run("evaluations", "create", "files", "--questions", "quiz", *files, **settings).stderr == ""
    file.write_text("question,A,B,answer\nWhat is 2 + 2?,4,5,A\n")
    run("questions", "import", str(file), **settings)
    key = ("--protocol", "closed")
    assert run("evaluations", "create", "keyed", "--questions", "quiz", *key, *models, **settings).stderr == ""
    invited = run("evaluations", "invite", "keyed", **settings)
    assert (invited.returncode, invited.stdout) == (1, "")
    assert invited.stderr == (
        "arena: Nobody judges the answers of keyed: `report` has its figures as soon as it has run.\n"
    )
    assert json.loads(run("evaluations", "annotators", "keyed", "--json", **settings).stdout) == []
