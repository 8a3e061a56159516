"""Settings for the test process and the processes it starts; Python imports this module before all others.

Byte code is written, so that no process has to compile SQLAlchemy, Gradio and numba again. Temporary files go to memory
if there is room: a thousand tests flush every transaction, which takes milliseconds on a disk. Garbage is collected as
rarely as in the arena's own processes.
"""

import gc
import os
import sys
import tempfile

from tests.paths import memory_disk

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
gc.set_threshold(200_000, 20, 20)

if "TMPDIR" not in os.environ and (disk := memory_disk()):
    os.environ["TMPDIR"] = tempfile.tempdir = str(disk)
