"""Invitations as links and as pictures that a phone reads."""

from __future__ import annotations

from arena.evaluations.domain.schemas.operated_evaluations import InvitationView


def invitation(label: str, secret: str, address: str) -> InvitationView:
    """An invitation with its QR code; what is behind the # of the link stays in the browser."""
    # Few processes draw one.
    import segno

    link = f"{address.rstrip('/')}/annotate#{secret}"
    picture = segno.make(link, error="m", micro=False).svg_data_uri(scale=4, border=4, dark="#000", light="#fff")
    return InvitationView(annotator=label, link=link, qr=picture)
