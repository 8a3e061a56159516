"""Finish reasons of each dialect as its servers spell them, and what each means for the answer.

A reason is looked up in lower case and without what follows a colon, as in `function_call_filter: …`. None means that
the endpoint gave up. A reason in no table is `UnknownFinish`, never a plain stop: a new word may mean that the answer
was cut. Sources: the vendors' API references and SDKs, and the servers' source code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena_providers.terms import Finish

if TYPE_CHECKING:
    from collections.abc import Mapping

    Reasons = Mapping[str, Finish | None]


def _reasons(stop: str = "", length: str = "", filtered: str = "", failed: str = "") -> Reasons:
    """A table from words that are separated by spaces."""
    kinds = ((stop, Finish.STOP), (length, Finish.LENGTH), (filtered, Finish.FILTER), (failed, None))
    return {reason: finish for words, finish in kinds for reason in words.split()}


CALLS: Final = ("tool_calls", "tool_call", "tool_use", "function_call", "pause_turn")
"""Reasons of an answer that waits for a tool. None is offered, so nobody answers, and the text before is no whole one.

`pause_turn` ends a turn within the calls of a server's own tools.
"""
_GEMINI_FILTERED: Final = (
    "safety recitation language blocklist prohibited_content spii model_armor"
    " image_safety image_prohibited_content image_recitation"
)
_GEMINI_FAILED: Final = (
    "other malformed_response missing_thought_signature no_image image_other"
    " malformed_function_call unexpected_tool_call too_many_tool_calls"
)

OPENAI_CHAT: Final = _reasons(
    # Among them are words of other vendors that proxies pass on: of TGI, Together, Cohere, Anthropic and Gemini.
    stop="stop end end_turn stop_sequence eos eos_token complete completed",
    length="length max_tokens model_length max_output_tokens model_context_window_exceeded repetition",
    filtered=f"content_filter content_filtered sensitive refusal {_GEMINI_FILTERED}",
    failed=(
        "error error_toxic abort aborted cancelled canceled network_error insufficient_system_resource"
        f" function_call_filter {_GEMINI_FAILED} {' '.join(CALLS)}"
    ),
)
OPENAI_RESPONSES: Final = _reasons(
    stop="completed",
    length="incomplete max_output_tokens max_tokens",
    filtered="content_filter",
    failed="failed cancelled queued in_progress",
)
ANTHROPIC: Final = _reasons(
    stop="end_turn stop_sequence",
    length="max_tokens model_context_window_exceeded",
    filtered="refusal",
    failed="tool_use pause_turn",
)
GEMINI: Final = _reasons(stop="stop", length="max_tokens", filtered=_GEMINI_FILTERED, failed=_GEMINI_FAILED)
OLLAMA: Final = _reasons(stop="stop", length="length", failed="error load unload")
