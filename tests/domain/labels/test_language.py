import subprocess
import sys

import pytest

from arena.domain.labels.language import detect


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Write a poem about the sea", "en"),
        ("hi", "en"),
        ("写一首诗", "zh"),
        ("你好", "zh"),
        ("What is 人工智能?", "zh"),
        ("请解释 Python 的 GIL", "zh"),
        ("こんにちは、元気ですか", "ja"),
        ("안녕하세요", "ko"),
        ("Bonjour, ça va?", "fr"),
        ("Привет, как дела?", "ru"),
        ("2+2", "other"),
        ("🙂", "other"),
    ],
)
def test_the_language_of_a_prompt_is_found(text, language):
    assert detect(text) == language


def test_only_the_beginning_of_a_long_prompt_is_read():
    assert detect("This is an English text. " * 100 + "这是中文" * 5_000) == "en"


def test_many_threads_may_ask_while_the_library_is_still_loading():
    code = """
import sys
from concurrent.futures import ThreadPoolExecutor
from arena.domain.labels.language import detect
sys.setswitchinterval(1e-6)
with ThreadPoolExecutor(8) as pool:
    print({language for language in pool.map(detect, ["Write a poem about the sea"] * 64)})
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "{'en'}\n"


RESIDENT = """
from pathlib import Path
import numpy
from arena.domain.labels.language import detect

def private() -> int:
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private"))

before = private()
assert detect("Wo ist der Bahnhof, bitte?") == "de"
print(private() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux about memory")
def test_telling_languages_apart_keeps_little_memory():
    done = subprocess.run([sys.executable, "-c", RESIDENT], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 40_000
