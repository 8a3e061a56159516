"""Sentences of the API in the reader's language, by code and parameters; `assets/texts.js` does so for scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from arena.domain.terms import JsonObject
from arena_frontend.figures import plain, plain_percent

if TYPE_CHECKING:
    from arena.domain.schemas.endpoints import EndpointView
    from arena.domain.schemas.problems import ProblemView
    from arena_frontend.texts import Texts

_TERMS: Final = {
    "field": "own.field",
    "fields": "own.field",
    "error": "own.kind",
    "problem": "own.problem",
    "state": "own.state",
    "after": "own.state",
}
"""Of a parameter that is one of the arena's terms, or a list of them, the prefix of their texts."""
_VENDORS: Final = {
    "openai": "OpenAI",
    "openai-responses": "OpenAI (Responses API)",
    "anthropic": "Anthropic",
    "google": "Google Gemini",
    "deepseek": "DeepSeek",
    "openrouter": "OpenRouter",
    "mistral": "Mistral",
    "xai": "xAI Grok",
    "groq": "Groq",
    "together": "Together AI",
    "vllm": "vLLM",
    "sglang": "SGLang",
    "llama.cpp": "llama.cpp",
    "lm-studio": "LM Studio",
    "ollama": "Ollama",
    "tgi": "Text Generation Inference",
}
"""Of a preset the name of its vendor or server, where it is the same in all languages."""
_SHARES: Final = frozenset({"share", "most"})


def reason(words: Texts, code: str | None, params: JsonObject | None, sentence: str) -> str:
    """Return the text of a state's reason, or the sentence of the API if a person typed it or it has no text."""
    key = f"own.reason.{code}"
    return _fill(words, key, params) if key in words.table else sentence


def fault(words: Texts, problem: JsonObject) -> str:
    """Return the text of a problem of a probe, or its title where its code has none, with the server's own words."""
    key = f"own.problem.{problem['code']}"
    values = problem | ({"dialect": words.named("own.dialect", problem["dialect"])} if "dialect" in problem else {})
    text = words.fill(key, **values) if key in words.table else problem["title"]
    return " ".join([text, words.fill("own.problem.words", words=problem["words"])]) if problem.get("words") else text


def problem_text(words: Texts, problem: ProblemView) -> str:
    """Return the text of a problem of the API: of each of its faults that of its rule, or else the title."""
    texts = (_rule(words, problem.code, params) for params in problem.problems or [problem.params or {}])
    return " ".join(filter(None, texts)) or problem.title


def _rule(words: Texts, code: str, params: JsonObject) -> str:
    keys = (f"error.{code}.{params.get('rule')}", f"error.{code}")
    text = next((_fill(words, key, params) for key in keys if key in words.table), "")
    return f"{value(words, 'field', params['field'])}: {text}" if text and "field" in params else text


def value(words: Texts, name: str, parameter: object) -> str:
    """Return a parameter as readers see it: numbers in their format, shares as per cent, and terms by their texts."""
    if isinstance(parameter, list):
        return words.listed([value(words, name, one) for one in cast("list[object]", parameter)])
    if isinstance(parameter, int | float) and not isinstance(parameter, bool):
        return plain_percent(parameter, 3) if name in _SHARES else plain(parameter, 3)
    return words.named(_TERMS.get(name, ""), str(parameter))


def _fill(words: Texts, key: str, params: JsonObject | None) -> str:
    return words.fill(key, **{name: value(words, name, parameter) for name, parameter in (params or {}).items()})


def vendor(words: Texts, preset: str) -> str:
    """Return the name of a preset's vendor or server, or that of the preset if it has no text."""
    return words.table.get(f"own.vendor.{preset.replace('-', '_')}", _VENDORS.get(preset, preset))


def error_kind(words: Texts, error: str) -> str:
    """Return the text of the kind of a call's error, with the word of an unknown finish reason."""
    kind, _, word = error.partition(":")
    text = words.named("own.kind", kind)
    return f"{text} ({word})" if word else text


def pending_changes(words: Texts, view: EndpointView) -> list[str]:
    """Return a sentence for each field of an endpoint that waits for approval: its value now, and the next one."""
    return [
        words.fill(
            "own.pending.step",
            field=words.named("own.field", name),
            before=_format(words, getattr(view, name)),
            after=_format(words, after),
        )
        for name, after in view.pending.items()
    ]


def _format(words: Texts, field: object) -> str:
    if isinstance(field, bool):
        return words["yes" if field else "no"]
    text = ", ".join(cast("list[str]", field)) if isinstance(field, list) else field
    return "–" if text in (None, "") else str(text)
