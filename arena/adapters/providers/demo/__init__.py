"""Four scripted practice models that need no key and no network, so that the arena can be tried at once."""

from arena.adapters.providers.demo.endpoints import DEMO_ENDPOINTS
from arena.adapters.providers.demo.provider import DemoProvider
from arena.adapters.providers.demo.skills import can_answer

__all__ = ["DEMO_ENDPOINTS", "DemoProvider", "can_answer"]
