"""Built-in endpoints that need no key and no network, so that the arena can be tried at once."""

from arena.providers.demo.endpoints import DEMO_ENDPOINTS
from arena.providers.demo.provider import DemoProvider

__all__ = ["DEMO_ENDPOINTS", "DemoProvider"]
