"""Proofs of inclusion and of consistency (RFC 6962, sections 2.1.1 and 2.1.2; verified as in RFC 9162, section 2.1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena_trust.tlog.hashing import EMPTY, SIZE, Unsound, node_hash

Subtrees = Callable[[int, int], bytes]
"""Reader of the hash of a perfect subtree, by height and index among the subtrees of that height."""


def tree_root(read_subtree: Subtrees, size: int) -> bytes:
    """The root of a tree of `size` leaves."""
    return _range(read_subtree, 0, size) if size else EMPTY


def inclusion_proof(read_subtree: Subtrees, index: int, size: int) -> list[bytes]:
    """Inclusion proof of leaf `index` in a tree of `size` leaves: sibling hashes from leaf to root."""
    if not 0 <= index < size:
        raise Unsound(f"There is no leaf {index} in a log of {size}.")
    path: list[bytes] = []
    start, end = 0, size
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            path.append(_range(read_subtree, middle, end))
            end = middle
        else:
            path.append(_range(read_subtree, start, middle))
            start = middle
    return path[::-1]


def consistency_proof(read_subtree: Subtrees, old_size: int, new_size: int) -> list[bytes]:
    """Consistency proof between tree sizes `old_size` and `new_size`."""
    if not 0 < old_size <= new_size:
        raise Unsound(f"No proof leads from a log of {old_size} to one of {new_size}.")
    path: list[bytes] = []
    start, end, is_left_edge = 0, new_size, True
    while end != old_size:
        middle = start + _split(end - start)
        if old_size <= middle:
            path.append(_range(read_subtree, middle, end))
            end = middle
        else:
            path.append(_range(read_subtree, start, middle))
            start, is_left_edge = middle, False
    return [*([] if is_left_edge else [_range(read_subtree, start, end)]), *path[::-1]]


def verify_inclusion(leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> bool:
    """Whether `path` proves that leaf `index` of the tree with `root` has the hash `leaf`."""
    if not 0 <= index < size or not _has_size([leaf, root, *path]):
        return False
    result, place, last = leaf, index, size - 1
    for sibling in path:
        if last == 0:
            return False
        if place & 1 or place == last:
            result = node_hash(sibling, result)
            place, last = _climb(place, last)
        else:
            result = node_hash(result, sibling)
        place, last = place >> 1, last >> 1
    return last == 0 and result == root


def verify_consistency(old_size: int, old_root: bytes, new_size: int, new_root: bytes, path: Sequence[bytes]) -> bool:
    """Whether `path` proves that the first `old_size` leaves, at least one, are unchanged in the tree of `new_size`."""
    if old_size == new_size and old_size > 0:
        return not path and old_root == new_root
    if not 0 < old_size <= new_size or not _has_size([old_root, new_root, *path]):
        return False
    hashes = [old_root, *path] if old_size & (old_size - 1) == 0 else list(path)
    if not hashes:
        return False
    place, last = _climb(old_size - 1, new_size - 1, while_odd=True)
    old_hash = new_hash = hashes[0]
    for sibling in hashes[1:]:
        if last == 0:
            return False
        if place & 1 or place == last:
            old_hash, new_hash = node_hash(sibling, old_hash), node_hash(sibling, new_hash)
            place, last = _climb(place, last)
        else:
            new_hash = node_hash(new_hash, sibling)
        place, last = place >> 1, last >> 1
    return last == 0 and old_hash == old_root and new_hash == new_root


def _has_size(hashes: Sequence[bytes]) -> bool:
    return all(len(digest) == SIZE for digest in hashes)


def _climb(place: int, last: int, *, while_odd: bool = False) -> tuple[int, int]:
    """Both indices shifted right until `place` is odd or 0, or with `while_odd` until it is even (RFC 9162)."""
    while (place & 1) if while_odd else (not place & 1 and place):
        place, last = place >> 1, last >> 1
    return place, last


def _split(size: int) -> int:
    """The largest power of two below `size`."""
    return 1 << (size - 1).bit_length() - 1


def _range(read_subtree: Subtrees, start: int, end: int) -> bytes:
    """The root over the leaves `start` to below `end`."""
    size = end - start
    if size & (size - 1) == 0:
        return read_subtree(size.bit_length() - 1, start // size)
    middle = start + _split(size)
    return node_hash(_range(read_subtree, start, middle), _range(read_subtree, middle, end))
