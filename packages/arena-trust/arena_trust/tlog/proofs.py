"""Proofs of inclusion and of consistency (RFC 6962, sections 2.1.1 and 2.1.2; verified as in RFC 9162, section 2.1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena_trust.tlog.hashing import EMPTY, SIZE, Unsound, node_hash

Subtrees = Callable[[int, int], bytes]
"""The hash of a complete subtree by its height and its place among those of its height, from the left."""


def tree_root(read: Subtrees, size: int) -> bytes:
    """The root of a tree of `size` leaves."""
    return _range(read, 0, size) if size else EMPTY


def inclusion_proof(read: Subtrees, index: int, size: int) -> list[bytes]:
    """Inclusion proof of leaf `index` in a tree of `size` leaves: sibling hashes, the lowest first."""
    if not 0 <= index < size:
        raise Unsound(f"There is no leaf {index} in a log of {size}.")
    path: list[bytes] = []
    start, end = 0, size
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            path.append(_range(read, middle, end))
            end = middle
        else:
            path.append(_range(read, start, middle))
            start = middle
    return path[::-1]


def consistency_proof(read: Subtrees, old: int, new: int) -> list[bytes]:
    """Consistency proof between tree sizes `old` and `new`."""
    if not 0 < old <= new:
        raise Unsound(f"No proof leads from a log of {old} to one of {new}.")
    path: list[bytes] = []
    start, end, whole = 0, new, True
    while end != old:
        middle = start + _split(end - start)
        if old <= middle:
            path.append(_range(read, middle, end))
            end = middle
        else:
            path.append(_range(read, start, middle))
            start, whole = middle, False
    return [*([] if whole else [_range(read, start, end)]), *path[::-1]]


def verify_inclusion(leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> bool:
    """Whether `path` proves that the leaf with the hash `leaf` is number `index` (from 0) under `root`."""
    if not 0 <= index < size or not _whole([leaf, root, *path]):
        return False
    result, place, last = leaf, index, size - 1
    for sibling in path:
        if last == 0:
            return False
        if place & 1 or place == last:
            result = node_hash(sibling, result)
            place, last = _up(place, last)
        else:
            result = node_hash(result, sibling)
        place, last = place >> 1, last >> 1
    return last == 0 and result == root


def verify_consistency(old: int, old_root: bytes, new: int, new_root: bytes, path: Sequence[bytes]) -> bool:
    """Whether `path` proves that a log of `new` leaves begins with one of `old`; nothing proves it of an empty one."""
    if old == new and old > 0:
        return not path and old_root == new_root
    if not 0 < old <= new or not _whole([old_root, new_root, *path]):
        return False
    hashes = [old_root, *path] if old & (old - 1) == 0 else list(path)
    if not hashes:
        return False
    place, last = _up(old - 1, new - 1, even=True)
    before = after = hashes[0]
    for sibling in hashes[1:]:
        if last == 0:
            return False
        if place & 1 or place == last:
            before, after = node_hash(sibling, before), node_hash(sibling, after)
            place, last = _up(place, last)
        else:
            after = node_hash(after, sibling)
        place, last = place >> 1, last >> 1
    return last == 0 and before == old_root and after == new_root


def _whole(hashes: Sequence[bytes]) -> bool:
    return all(len(digest) == SIZE for digest in hashes)


def _up(place: int, last: int, *, even: bool = False) -> tuple[int, int]:
    """Both places as many floors higher as `place` is a last, or with `even` a right, child without a sibling."""
    while (place & 1) if even else (not place & 1 and place):
        place, last = place >> 1, last >> 1
    return place, last


def _split(size: int) -> int:
    """The largest power of two below `size`."""
    return 1 << (size - 1).bit_length() - 1


def _range(read: Subtrees, start: int, end: int) -> bytes:
    size = end - start
    if size & (size - 1) == 0:
        return read(size.bit_length() - 1, start // size)
    middle = start + _split(size)
    return node_hash(_range(read, start, middle), _range(read, middle, end))
