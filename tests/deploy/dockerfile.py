"""Parses a Dockerfile and runs its steps in separate root file systems, without a container engine.

A root is an overlay: the lower layer is the base of the stage, the upper layer is what its steps add. All mounts are
made in separate namespaces and end with them. This needs to run as root.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from string import Template

INSTRUCTIONS = {
    *("ARG", "FROM", "ENV", "RUN", "WORKDIR", "COPY", "USER", "VOLUME"),
    *("EXPOSE", "HEALTHCHECK", "ENTRYPOINT", "CMD"),
}
MOUNT = """
set -e
mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" "$2/root"
cd "$2/root"
mkdir -p proc dev
mount --rbind /proc proc
mount --rbind /dev dev
IFS='
'
if [ -n "$3" ]; then  # as a container runs: nothing can be written but a volume and /tmp
  for folder in $5; do  # another disk is not in the overlay, and the new /tmp hides what lies below the old one
    mkdir -p "$2/shown$folder" ".$folder"
    if [ "$(ls -A ".$folder")" ]; then mount --bind ".$folder" "$2/shown$folder"
    else mount --bind "$folder" "$2/shown$folder"; fi
  done
  mkdir -p tmp ".$3"
  owner=$(stat -c %u:%g ".$3")
  mount -o remount,ro "$2/root"
  mount -t tmpfs tmpfs tmp
  for folder in $5; do
    mkdir -p ".$folder" && mount --bind "$2/shown$folder" ".$folder" && mount -o remount,bind,ro ".$folder"
  done
  mount -t tmpfs tmpfs ".$3"
  chown "$owner" ".$3"
  ip link set lo up
fi
root=$2/root user=$4
shift 5
exec chroot --userspec="$user" "$root" env -i "$@"
"""
"""Arguments: the lower layer, a folder with upper, work and root, a volume or an empty string, a user, folders that
have to be there, one a line, then settings and the command."""


@dataclass(frozen=True)
class Stage:
    """The instructions between one FROM and the next."""

    name: str
    base: str
    steps: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    def values(self, word: str) -> list[str]:
        return [value for step, value in self.steps if step == word]

    def last(self, word: str) -> str:
        return self.values(word)[-1]

    def words(self, word: str) -> list[str]:
        """The words of the last instruction of this name, written as JSON, such as ENTRYPOINT."""
        return json.loads(re.search(r"\[.*\]", self.last(word), re.DOTALL)[0])

    def environment(self, before: Mapping[str, str]) -> dict[str, str]:
        """Variables after the ENV lines of this stage."""
        variables = dict(before)
        for line in self.values("ENV"):
            pairs = [word.split("=", 1) for word in shlex.split(line)]
            variables |= {name: Template(value).safe_substitute(variables) for name, value in pairs}
        return variables


def read(path: Path) -> list[Stage]:
    """The stages of a Dockerfile.

    Raises:
        ValueError: An instruction is not known here.
    """
    stages: list[Stage] = []
    for line in _lines(path.read_text(encoding="utf-8")):
        word, value = line.split(maxsplit=1)
        if word not in INSTRUCTIONS:
            raise ValueError(word)
        if word == "FROM":
            base, *name = re.split(r"\s+AS\s+", value)
            stages.append(Stage("".join(name), base.split("$")[0]))
        elif stages:
            stages[-1].steps.append((word, value))
    return stages


def _lines(text: str) -> Iterator[str]:
    instructions = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    yield from filter(None, map(str.strip, re.sub(r"\\\n\s*", " ", instructions).splitlines()))


@dataclass
class Root:
    """An overlay root in `folder` with the lower layer `base`."""

    base: Path
    folder: Path
    environment: dict[str, str]
    user: str = "0:0"
    place: str = "/"
    shown: Sequence[Path] = ()
    """Folders of this machine that are there wherever they lie, if there is a volume."""

    def __post_init__(self) -> None:
        for name in ("upper", "work", "root"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)

    @property
    def layer(self) -> Path:
        """The upper layer: everything that the steps have added."""
        return self.folder / "upper"

    def command(self, words: Sequence[str], volume: str = "") -> list[str]:
        """The command line that runs `words` in this root in new namespaces; with a volume all else is read-only."""
        settings = [f"{name}={value}" for name, value in self.environment.items()]
        inside = ["sh", "-c", 'cd "$0" && exec "$@"', self.place, *words]
        spaces = "-mn" if volume else "-m"
        fixed = [str(self.base), str(self.folder), volume, self.user, "\n".join(map(str, self.shown))]
        return ["unshare", spaces, "sh", "-c", MOUNT, "sh", *fixed, *settings, *inside]

    def build(self, stage: Stage, context: Path, others: Mapping[str, Root]) -> None:
        """Run the steps of a stage."""
        for word, value in stage.steps:
            if word == "WORKDIR":
                self.place = value
                (self.layer / value.lstrip("/")).mkdir(parents=True, exist_ok=True)
            elif word == "COPY":
                self._copy(value, context, others)
            elif word == "RUN":
                result = subprocess.run(
                    self.command(["sh", "-c", value]), capture_output=True, text=True, check=False, timeout=1500
                )
                if result.returncode:
                    raise RuntimeError(f"RUN {value}\n{result.stdout[-3000:]}{result.stderr[-3000:]}")
            elif word == "USER":
                self.user = f"{value}:"

    def _copy(self, value: str, context: Path, others: Mapping[str, Root]) -> None:
        option, *words = split_words(value)
        *sources, target = words if option.startswith("--") else [option, *words]
        home = others[option.removeprefix("--from=")].layer if option.startswith("--") else context
        place = self.layer / self.place.lstrip("/") / target
        if target.startswith("/"):
            place = self.layer / target.lstrip("/")
        for source in (home / name.lstrip("/") for name in sources):
            if source.is_dir():
                shutil.copytree(source, place, symlinks=True, dirs_exist_ok=True)
            else:
                place.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, place)


def split_words(value: str) -> list[str]:
    return shlex.split(value)


def size(folder: Path) -> int:
    """Bytes of all files below a folder, as the layers of an image count them."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
