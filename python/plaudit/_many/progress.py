"""How far a call is that answers many questions: a bar of tqdm or a function of the caller, and lines of the logger
`plaudit`."""
from __future__ import annotations

import logging
import sys
import threading
import time
from typing import Any, Callable, Iterable, Iterator, TypeVar, Union

from .._core import SpecError

_T = TypeVar("_T")

#: A function (done, total), or whether there is a bar; None: where tqdm is installed and someone looks.
Report = Union[Callable[[int, int], None], bool, None]

#: Calls that take less time log nothing, and show a bar only where it is asked for.
SECONDS_OF_SILENCE = 2.0

log = logging.getLogger("plaudit")
log.addHandler(logging.NullHandler())


class Telling:
    """Tells how far one call is; what is counted may be known later. It is a context, at whose end the bar is closed."""

    def __init__(self, what: str, report: Report, total: int = 0) -> None:
        if not (report is None or isinstance(report, bool) or callable(report)):
            raise SpecError(f"{what}: progress must be True, False, None or a function of (done, total), not {report!r}")
        self._what, self._report = what, report
        self._begun = self._told = time.monotonic()
        self._done = 0
        self._bar = _bar(what, total, 0, True) if report is True else None
        self._quiet = report is not None  # a bar is not looked for

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        is_long = now - self._begun > SECONDS_OF_SILENCE
        if callable(self._report):
            if done != self._done:
                self._report(done, total)
        elif self._bar is None and not self._quiet and is_long:
            self._bar, self._quiet = _bar(self._what, total, done, False), True
        if self._bar is not None:
            self._bar.total = total
            self._bar.update(done - self._bar.n)
        self._done = done
        if now - self._told > SECONDS_OF_SILENCE or (done == total and is_long):
            self._told = now
            log.info("%s: %d of %d after %.1f s", self._what, done, total, now - self._begun)

    def for_core(self) -> Any:
        """This, for a call of the core, which takes the interpreter's lock for it: None on a thread that may outlive
        the interpreter, unless somebody wants to know."""
        wanted = callable(self._report) or self._bar is not None
        return self if wanted or threading.current_thread() is threading.main_thread() else None

    def __enter__(self) -> "Telling":
        return self

    def __exit__(self, *_: Any) -> None:
        if self._bar is not None:
            self._bar.close()


def followed(items: Iterable[_T], total: int, what: str, report: Report) -> Iterator[_T]:
    """The items as they are; how many of them were taken and done with is shown on the way."""
    with Telling(what, report, total) as telling:
        for done, item in enumerate(items, 1):
            yield item
            telling(done, total)


def _bar(what: str, total: int, done: int, asked: bool) -> Any:
    try:
        from tqdm.auto import tqdm  # type: ignore[import]
    except ImportError:
        if asked:
            raise SpecError(f"{what}: progress=True needs tqdm, which is not installed; a function of "
                            "(done, total) needs nothing") from None
        return None
    if asked or sys.stderr.isatty() or "ipykernel" in sys.modules:
        return tqdm(desc=what, total=total, initial=done)
    return None
