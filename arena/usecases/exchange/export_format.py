"""Format and version that each line of the arena's own files of votes has."""

from typing import Final

NAME: Final = "arena-vote"
VERSION: Final = 1
