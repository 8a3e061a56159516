"""Images that voters ask about."""

from __future__ import annotations

from arena.domain.schemas.base import Wire


class UploadView(Wire):
    """An image that was sent; its `id` means something to its voter alone."""

    id: str
