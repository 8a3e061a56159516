import pytest

from tests.adapters.images.files import draw, save
from tests.cli.commands import run

pytestmark = pytest.mark.process


def test_an_image_is_taken_down_by_its_file_and_what_is_none_is_refused(tmp_path):
    file, settings = tmp_path / "x.png", {"ARENA_DATA": str(tmp_path / "data")}
    file.write_bytes(save(draw()))
    assert run("images", "block", str(file), "--reason", "an order", **settings).stdout == "x.png is taken down.\n"
    file.write_bytes(b"no image")
    refused = run("images", "block", str(file), "--reason", "an order", **settings)
    assert (refused.returncode, refused.stderr) == (1, "arena: This is no PNG, JPEG or WebP image.\n")
