"""Which speaker stands behind which wire name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.providers.demo.abacus.speaker import Calculator
from arena.providers.demo.chain import ChainWriter
from arena.providers.demo.clerk import Clerk
from arena.providers.demo.essayist import Essayist
from arena.providers.demo.librarian import Librarian
from arena.providers.demo.mirror import Mirror
from arena.providers.demo.parrot import Parrot
from arena.providers.demo.poet import Poet

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena.providers.demo.talk import Speaker

SPEAKERS: Final[Mapping[str, Speaker]] = {
    "librarian": Librarian(),
    "calculator": Calculator(),
    "essayist": Essayist(),
    "mirror": Mirror(),
    "poet": Poet(),
    "clerk": Clerk(),
    "chain": ChainWriter(),
    "parrot": Parrot(),
}
