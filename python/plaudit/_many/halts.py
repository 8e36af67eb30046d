"""What ends the work of others when the caller is interrupted: in threads of this process, and in processes on this
machine.

Python's signals reach the main thread of a process alone, and those of a terminal the processes of its group. Who
leaves a pool waits for what is under way there, which may take as long as its time limits. So each task of `map` has a
`Halt` with it: an object for threads, and a folder for processes, in which a file appears when it is set.
"""
from __future__ import annotations

import atexit
import os
import shutil
import tempfile
import threading
from typing import Any, Tuple

from .. import _core

#: Seconds between two looks for the file.
_BETWEEN = 0.02


class Halt:
    """Set by the caller, or by nobody. What stands by it ends with `Halted`."""

    def __init__(self, folder: str = "") -> None:
        self._stop = _core.Stop()
        self._folder = folder
        self._is_mine = not folder
        self._done = threading.Event()

    def __reduce__(self) -> Tuple[Any, ...]:
        """For another process, which looks for the file."""
        if not self._folder:
            self._folder = tempfile.mkdtemp(prefix="plaudit-map-")
        return Halt, (self._folder,)

    @property
    def _file(self) -> str:
        return os.path.join(self._folder, "halt")

    def set(self) -> None:
        """Ends the work of those who stand by; the folder stays until this process ends, for those who begin late."""
        self._stop.set()
        if self._folder:
            try:
                open(self._file, "x").close()
            except OSError:
                return
            atexit.register(shutil.rmtree, self._folder, True)

    def close(self) -> None:
        """All is done."""
        if self._folder and not self._stop.is_set():
            shutil.rmtree(self._folder, True)

    def check(self) -> None:
        """Raises `Halted` where it is set."""
        if self._stop.is_set():
            raise _core.Halted

    def __enter__(self) -> "Halt":
        """The calls of this thread end where it is set."""
        _core.stand_by(self._stop)
        if not self._is_mine:
            self._look()
            threading.Thread(target=self._watch, daemon=True).start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._done.set()
        _core.stand_by(None)

    def _look(self) -> None:
        if os.path.exists(self._file):
            self._stop.set()

    def _watch(self) -> None:
        while not self._done.wait(_BETWEEN) and not self._stop.is_set():
            self._look()
