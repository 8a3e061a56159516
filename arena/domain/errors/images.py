"""Errors of images in conversations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from arena.domain.errors.statuses import Conflict, Invalid, NotFound, TooLarge


class ImageRefused(Invalid):
    code = "image_refused"
    title = "This image cannot be taken."
    details: ClassVar[Mapping[str, str]] = {
        "kind": "This is no PNG, JPEG or WebP image.",
        "broken": "This image is broken.",
        "animated": "This image is animated; only still ones can be taken.",
        "pixels": "This image has too many pixels.",
        "small": "This image is too small: 16 pixels on each side at least.",
    }


class TooManyImages(Invalid):
    code = "too_many_images"
    title = "There are too many images."
    details: ClassVar[Mapping[str, str]] = {"": "{limit:,} different images at most in one conversation."}


class ImageNotFound(NotFound):
    code = "image_not_found"
    title = "There is no such image any more; please add it again."


class ImageBlocked(Conflict):
    code = "image_blocked"
    title = "The operator has taken down this image, or one that shows the same; it cannot be taken."


class ImagesLate(Conflict):
    code = "images_late"
    title = "This battle began without an image, so its models may not see any; please begin another."


class ImagesGone(Conflict):
    code = "images_gone"
    title = "An image of this conversation has been deleted, so it cannot go on; please begin another."


class NoVision(Conflict):
    code = "no_vision"
    title = "Fewer than two models here see images; please ask without one."


class ModelBlind(Conflict):
    code = "model_blind"
    title = "A chosen model sees no images."
    details: ClassVar[Mapping[str, str]] = {"": "This model sees no images: {name}."}


class ImageTooLarge(TooLarge):
    code = "image_too_large"
    title = "The image's file is too large."
    details: ClassVar[Mapping[str, str]] = {"": "The image's file is larger than {limit:,} megabytes."}
