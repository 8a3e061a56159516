"""Bring the pictures of README into the site, which takes files of its own folder only."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.structure.files import File

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

OUTSIDE = "../deploy/"


def on_files(files: Files, config: MkDocsConfig) -> None:
    """Add each picture beside the pages."""
    for path in sorted((Path(config.docs_dir) / OUTSIDE).glob("*.png")):
        files.append(File.generated(config, path.name, abs_src_path=str(path)))


def on_page_markdown(markdown: str, **_: object) -> str:
    """Name pictures where they lie in the site."""
    return markdown.replace(f"]({OUTSIDE}", "](")
