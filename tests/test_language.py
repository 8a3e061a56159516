import pytest

from arena.language import detect


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
