"""Routes of images that a voter asks about: send one, and see it again."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from arena.api.contract import BASE, BINARY_BODY, IMAGE_RESPONSES, refusals
from arena.api.dependencies import DatabaseDep, Holder, Newcomer, RecoderDep, RuntimeDep, WindowsDep
from arena.api.http.upload_limits import UploadLimits
from arena.domain.errors import (
    Busy,
    ImageBlocked,
    ImageNotFound,
    ImageRefused,
    ImageTooLarge,
    Malformed,
    RateLimited,
    TooSlow,
)
from arena.domain.schemas.battles import UploadView
from arena.usecases.images import uploads

router = APIRouter(prefix=f"{BASE}/images", tags=["images"])


async def _limits(request: Request) -> UploadLimits:
    return request.app.state.uploads


@router.post(
    "",
    status_code=201,
    openapi_extra=BINARY_BODY,
    responses=refusals(ImageRefused, ImageTooLarge, ImageBlocked, Malformed, TooSlow, RateLimited, Busy),
)
async def upload_image(
    request: Request,
    runtime: RuntimeDep,
    windows: WindowsDep,
    voter: Newcomer,
    recoder: RecoderDep,
    limits: Annotated[UploadLimits, Depends(_limits)],
) -> UploadView:
    """Store an image for the voter's next prompt; the body is a PNG, JPEG or WebP file."""
    await windows.limits.count(windows.images, voter.address)
    async with limits.place(voter.address):
        file = await limits.receive(request.stream())
        async with recoder.place():
            image = await recoder.recode(file)
    upload_id = runtime.new_id()
    await uploads.upload(runtime.database, voter, image, upload_id, runtime.now())
    return UploadView(id=upload_id)


@router.get("/{image_id}", response_class=Response, responses=IMAGE_RESPONSES | refusals(ImageNotFound))
async def get_image(image_id: str, runtime: RuntimeDep, database: DatabaseDep, voter: Holder) -> Response:
    """Return an image to the voter who has sent it."""
    image = await uploads.show(database, voter, image_id, runtime.now())
    return Response(image.data, media_type=image.media_type, headers={"Cache-Control": "no-store"})
