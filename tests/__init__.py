"""Python reads this before anything else of the tests: where they, and the processes that they start, keep files.

Byte code is kept, or each process would parse SQLAlchemy, Gradio and numba anew. Temporary files lie in memory where it
has room: a thousand tests flush each transaction of a database of their own, which costs milliseconds on a disk.
"""

import os
import sys
import tempfile

from tests.paths import memory_disk

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

if "TMPDIR" not in os.environ and (disk := memory_disk()):
    os.environ["TMPDIR"] = tempfile.tempdir = str(disk)
