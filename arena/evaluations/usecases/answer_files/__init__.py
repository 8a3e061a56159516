"""Files with finished answers: rows of our own, tables with a column per model, benchmarks and logs of other tools."""

from arena.evaluations.usecases.answer_files.material import Material, MaterialAnswer, read_material

__all__ = ("Material", "MaterialAnswer", "read_material")
