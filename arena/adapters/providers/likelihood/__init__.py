"""Likelihood of given answers under an endpoint's model, in two dialects, and the probe that tells who can."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.adapters.providers.likelihood.completions_echo import CompletionsEcho
from arena.adapters.providers.likelihood.llamacpp_forced import LlamaCppForced

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from arena.adapters.providers.base import LikelihoodProvider
    from arena.adapters.providers.transport.http_client import HttpClient

LIKELIHOOD: Final[Mapping[str, Callable[[HttpClient], LikelihoodProvider]]] = {
    "completions_echo": CompletionsEcho,
    "llamacpp_forced": LlamaCppForced,
}
"""The dialects by which an endpoint may be asked for likelihoods."""
