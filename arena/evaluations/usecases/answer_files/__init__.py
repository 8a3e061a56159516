"""Files with finished answers: own rows, tables with a column for each model, benchmarks, and logs of other tools."""

from arena.evaluations.usecases.answer_files.material import Material, MaterialAnswer, read_material

__all__ = ("Material", "MaterialAnswer", "read_material")
