"""Two intrinsics in LLVM IR: one Elo step of eight orders at once, and a prefetch (decision 0035).

The updates of a step are independent, but numba does not vectorise them: it keeps no small arrays in registers and
disables LLVM's SLP vectoriser, so plain loops make eight scalar divisions. Here the vectors are explicit. No operation
has a fast-math flag, so LLVM may neither contract nor reassociate: each lane has the bits of the scalar formula on any
processor.

numba caches the machine code of the callers by the modification time of `elo.py`: touch that file after a change here.
"""

# numba and llvmlite declare few of their types
# pyright: reportMissingTypeStubs=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

LANES: Final = 8
"""Orders played in lock step; twelve would be 10 % faster and need 50 % more memory."""

_WIDTH: Final = 4
"""Lanes in a vector: two vectors of four are faster than one of eight, even if registers hold eight."""

Value = Any
"""A value, type or builder of llvmlite."""

_WORD: Final = ir.IntType(64)
_LANE: Final = ir.IntType(32)
_VECTOR: Final = ir.VectorType(ir.DoubleType(), _WIDTH)
_FLAG: Final = ir.IntType(32)
_POINTER: Final = ir.IntType(8).as_pointer()
_HINT: Final = ir.FunctionType(ir.VoidType(), [_POINTER, _FLAG, _FLAG, _FLAG])
_WRITE_NEAR_DATA: Final = (1, 3, 1)
_EVEN: Final = (1 / 40320, 1 / 720, 1 / 24, 1 / 2, 1.0)
_ODD: Final = (1 / 362880, 1 / 5040, 1 / 120, 1 / 6, 1.0)


@intrinsic
def advance(
    _context: Value,
    words: Value,
    at: Value,
    strength: Value,
    bits: Value,
    gain: Value,
    scores: Value,
    squarings: Value,
) -> Value:
    """Play vote `at` of every lane as `elo.play` plays one: words [LANES, n], strength [competitors, LANES]."""
    return types.void(words, at, strength, bits, gain, scores, squarings), _advance


class _Step:
    """The arguments of one call, as (type, value) pairs, during code generation."""

    def __init__(self, context: Value, builder: Value, kinds: Value, values: Value) -> None:
        self.context, self.builder = context, builder
        self.words, self.at, self.strength, bits, self.gain, self.scores, self.squarings = zip(
            kinds, values, strict=True
        )
        self.bits = bits[1]
        self.mask = builder.sub(builder.shl(_WORD(1), self.bits), _WORD(1))

    def cell(self, array: tuple[Value, Value], *index: Value) -> Value:
        """Pointer to an element."""
        kind, value = array
        struct = make_array(kind)(self.context, self.builder, value)
        return cgutils.get_item_pointer(self.context, self.builder, kind, struct, list(index), wraparound=False)

    def read(self, array: tuple[Value, Value], *index: Value) -> Value:
        return self.builder.load(self.cell(array, *index))


def _advance(context: Value, builder: Value, signature: Value, arguments: Value) -> Value:
    step = _Step(context, builder, signature.args, arguments)
    ends = [end for first in range(0, LANES, _WIDTH) for end in _vector(step, first)]
    for value, place in ends:  # last: stores between the loads of two vectors would serialise them
        builder.store(value, place)
    return context.get_dummy_value()


def _vector(step: _Step, first: int) -> list[tuple[Value, Value]]:
    """The new strengths of lanes first to first + 3, with their pointers."""
    builder, columns, places = step.builder, [ir.Constant(_VECTOR, ir.Undefined)] * 4, list[Value]()
    for lane in range(_WIDTH):
        values, pair = _lane(step, _WORD(first + lane))
        columns = [
            builder.insert_element(column, value, _LANE(lane)) for column, value in zip(columns, values, strict=True)
        ]
        places += pair
    ahead, behind, score, gain = columns
    u = builder.fmul(gain, builder.fsub(score, builder.fdiv(ahead, builder.fadd(ahead, behind))))
    up, down = _exponentials(step, u)
    ahead, behind = builder.fmul(ahead, up), builder.fmul(behind, down)
    new = [builder.extract_element(side, _LANE(lane)) for lane in range(_WIDTH) for side in (ahead, behind)]
    return list(zip(new, places, strict=True))


def _lane(step: _Step, lane: Value) -> tuple[list[Value], list[Value]]:
    """Both strengths, score and gain of one lane's vote, and the pointers to the strengths."""
    builder, left_shift = step.builder, step.builder.add(step.bits, _WORD(2))
    word = builder.zext(step.read(step.words, lane, step.at[1]), _WORD)
    left = step.cell(step.strength, builder.and_(builder.lshr(word, left_shift), step.mask), lane)
    right = step.cell(step.strength, builder.and_(builder.lshr(word, _WORD(2)), step.mask), lane)
    score = step.read(step.scores, builder.and_(word, _WORD(3)))
    gain = step.read(step.gain, builder.lshr(word, builder.add(left_shift, step.bits)))
    return [builder.load(left), builder.load(right), score, gain], [left, right]


def _exponentials(step: _Step, u: Value) -> tuple[Value, Value]:
    """e^u and e^-u to the power 2^squarings, by the polynomial of `elo.play`."""
    builder = step.builder
    square = builder.fmul(u, u)
    even, odd = _horner(builder, square, _EVEN), builder.fmul(u, _horner(builder, square, _ODD))
    up = cgutils.alloca_once_value(builder, builder.fadd(even, odd))
    down = cgutils.alloca_once_value(builder, builder.fsub(even, odd))
    with cgutils.for_range(builder, step.squarings[1]):
        for slot in (up, down):
            value = builder.load(slot)
            builder.store(builder.fmul(value, value), slot)
    return builder.load(up), builder.load(down)


def _horner(builder: Value, x: Value, coefficients: tuple[float, ...]) -> Value:
    value, *lower = (ir.Constant(_VECTOR, [coefficient] * _WIDTH) for coefficient in coefficients)
    for coefficient in lower:
        value = builder.fadd(coefficient, builder.fmul(x, value))
    return value


@intrinsic
def prefetch(_context: Value, array: Value, index: Value) -> Value:
    """Prefetch an element of a one-dimensional array for writing; changes no value."""
    return types.void(array, index), _prefetch


def _prefetch(context: Value, builder: Value, signature: Value, arguments: Value) -> Value:
    kind, (array, index) = signature.args[0], arguments
    struct = make_array(kind)(context, builder, array)
    place = cgutils.get_item_pointer(context, builder, kind, struct, [index], wraparound=False)
    hint = cgutils.get_or_insert_function(builder.module, _HINT, "llvm.prefetch.p0i8")
    builder.call(hint, [builder.bitcast(place, _POINTER), *(_FLAG(flag) for flag in _WRITE_NEAR_DATA)])
    return context.get_dummy_value()
