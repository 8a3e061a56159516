"""Readers for the tests of confined reading: honest ones and those that a hostile file would make of them."""

import os
import resource
import time

from arena.domain.errors import Invalid


def lines(path, reach):
    reach(path.stat().st_size)
    yield from path.read_text().splitlines()


def refusal(path, _reach):
    yield "half"
    raise Invalid(f"{path}: line 2: no.")


def hoard(_path, _reach):
    yield "x" * 2**30


def hoard_after_items(_path, _reach):
    yield "first"
    held = [bytearray(2**20)]
    while True:
        held.append(bytearray(2**20))


def spin(_path, _reach):
    while True:
        pass
    yield


def crash(_path, _reach):
    yield "half"
    os._exit(7)


def flood(_path, _reach):
    while True:
        yield "x" * 2**20


def wait(path, _reach):
    path.with_name("begun").write_text(str(os.getpid()))
    while not path.with_name("go").exists():
        time.sleep(0.01)
    yield "done"


def limits(_path, _reach):
    yield from (
        str(resource.getrlimit(kind)[1]) for kind in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_CORE)
    )
