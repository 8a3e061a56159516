# pyright: reportMissingImports=false
"""Writes logs with the real Inspect and its mock model, in an environment of its own: `python inspect_logs.py FOLDER`.

Nothing of the arena is imported. The model that is called good answers three of four questions rightly, the other one
the fourth; the last sample is a talk of several messages.
"""

import sys
from pathlib import Path

import inspect_ai
from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import includes, match
from inspect_ai.solver import generate, system_message

QUESTIONS = 12
LONG = "Take your time. " * 20


@task
def capitals():
    samples = [Sample(id=f"q{n}", input=f"Capital of {n}? {LONG}", target=f"City {n}") for n in range(QUESTIONS)]
    talk = [ChatMessageUser(content="Hello"), ChatMessageAssistant(content="Hi"), ChatMessageUser(content="A sea?")]
    samples.append(Sample(input=talk, target=["Baltic", "North"]))
    return Task(dataset=samples, solver=[system_message("Be kind."), generate()], scorer=[includes(), match()])


def model(name, right):
    texts = [f"City {n}, I say. {LONG}" if right(n) else f"No idea about {n}. {LONG}" for n in range(QUESTIONS)]
    outputs = [ModelOutput.from_content("mockllm/model", text) for text in (*texts, "Baltic")]
    for output in outputs:  # else it counts tokens, for which it asks the network
        output.usage = ModelUsage(input_tokens=9, output_tokens=9, total_tokens=18)
    return get_model(f"mockllm/{name}", custom_outputs=outputs, memoize=False)


def write(folder: Path) -> None:
    for kind in ("eval", "json"):
        for name, right in (("good", lambda n: n % 4), ("bad", lambda n: not n % 4)):
            place = {"log_dir": str(folder / "written"), "log_format": kind, "display": "none", "max_samples": 1}
            (log,) = inspect_ai.eval(capitals(), model=model(name, right), **place)
            Path(log.location).rename(folder / f"{name}.{kind}")


def compare(folder: Path) -> None:
    """Print the share of the bad model against the log of the good one, by the scorer of the library's README."""
    from against import against

    inner = Task(dataset=capitals().dataset, solver=generate(), scorer=against(str(folder / "good.eval"), includes()))
    (log,) = inspect_ai.eval(
        inner, model=model("bad", lambda n: not n % 4), log_dir=str(folder / "written"), display="none", max_samples=1
    )
    sys.stdout.write(f"against: {log.results.scores[0].metrics['mean'].value}\n")


if __name__ == "__main__":
    (compare if sys.argv[2:] else write)(Path(sys.argv[1]))
