"""What a command says of the models that it has asked."""

from arena.evaluations.cli.model_runs import show_runs
from arena.evaluations.usecases.generation import ModelRun, count_fault


def test_failures_are_told_with_their_kinds(capsys):
    run = ModelRun("gull", left=2)
    for fault in ("timeout", None, "refused", "timeout"):
        count_fault(run, fault)
    show_runs([run, ModelRun("tern", done=3)], json=False)
    assert capsys.readouterr().out.splitlines() == [
        "gull: 1 done, 3 failed (refused 1, timeout 2), 2 left.",
        "tern: 3 done, 0 failed, 0 left.",
    ]
