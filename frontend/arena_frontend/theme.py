"""The theme of Gradio's components; all other styles are in `assets`."""

from __future__ import annotations

from gradio.themes import Base
from gradio.themes.utils import colors, sizes

_SANS = (
    "ui-sans-serif",
    "system-ui",
    "-apple-system",
    "Segoe UI",
    "Roboto",
    "PingFang SC",
    "Hiragino Sans GB",
    "Microsoft YaHei",
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "sans-serif",
)
_MONO = ("ui-monospace", "SFMono-Regular", "Menlo", "Consolas", "Liberation Mono", "monospace")


def theme() -> Base:
    """Build a plain theme with system fonts, so that no font is fetched; colours come from CSS variables."""
    base = Base(
        primary_hue=colors.indigo,
        secondary_hue=colors.indigo,
        neutral_hue=colors.slate,
        radius_size=sizes.radius_lg,
        font=_SANS,
        font_mono=_MONO,
    )
    plain = {
        "body_background_fill": "var(--a-ground)",
        "body_text_color": "var(--a-ink)",
        "body_text_color_subdued": "var(--a-soft)",
        "block_background_fill": "var(--a-paper)",
        "block_border_color": "var(--a-line)",
        "border_color_primary": "var(--a-line)",
        "background_fill_primary": "var(--a-paper)",
        "background_fill_secondary": "var(--a-wash)",
        "input_background_fill": "var(--a-paper)",
        "button_primary_background_fill": "var(--a-accent)",
        "button_primary_background_fill_hover": "var(--a-accent-strong)",
        "button_primary_text_color": "var(--a-on-accent)",
        "button_secondary_background_fill": "var(--a-paper)",
        "button_secondary_background_fill_hover": "var(--a-wash)",
        "button_secondary_text_color": "var(--a-ink)",
        "link_text_color": "var(--a-link)",
        "link_text_color_hover": "var(--a-link)",
        "link_text_color_visited": "var(--a-link)",
        "link_text_color_active": "var(--a-link)",
    }
    both = plain | {f"{name}_dark": value for name, value in plain.items()}
    both |= {"block_shadow": "none", "block_border_width": "0px", "layout_gap": "0px"}
    return base.set(**both)  # pyright: ignore[reportUnknownMemberType] - none of its options has a type
