"""A hint to the processor to bring a cache line near before it is needed.

numba caches the callers' machine code by the modification time of their own file, `elo.py`: touch it after a change
here.
"""

# numba and llvmlite describe few of their types
# pyright: reportMissingTypeStubs=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

Value = Any
"""A value, type or builder of llvmlite."""

_FLAG: Final = ir.IntType(32)
_POINTER: Final = ir.IntType(8).as_pointer()
_HINT: Final = ir.FunctionType(ir.VoidType(), [_POINTER, _FLAG, _FLAG, _FLAG])
_WRITE_NEAR_DATA: Final = (1, 3, 1)


@intrinsic
def prefetch(_context: Value, array: Value, index: Value) -> Value:
    """Fetch the element of a one-dimensional array for writing; changes no value."""
    return types.void(array, index), _prefetch


def _prefetch(context: Value, builder: Value, signature: Value, arguments: Value) -> Value:
    kind, (array, index) = signature.args[0], arguments
    whole = make_array(kind)(context, builder, array)
    place = cgutils.get_item_pointer(context, builder, kind, whole, [index], wraparound=False)
    hint = cgutils.get_or_insert_function(builder.module, _HINT, "llvm.prefetch.p0i8")
    builder.call(hint, [builder.bitcast(place, _POINTER), *(_FLAG(flag) for flag in _WRITE_NEAR_DATA)])
    return context.get_dummy_value()
