"""How far a call is that answers many questions: a bar of tqdm or a function of the caller, and lines of the logger
`plaudit`."""
from __future__ import annotations

import logging
import sys
import time
from typing import Callable, Iterable, Iterator, TypeVar, Union

from .._core import SpecError

_T = TypeVar("_T")

#: A function (done, total), or whether there is a bar; None: where tqdm is installed and someone looks.
Report = Union[Callable[[int, int], None], bool, None]

#: Calls that take less time log nothing, and show a bar only where it is asked for.
SECONDS_OF_SILENCE = 2.0

_log = logging.getLogger("plaudit")
_log.addHandler(logging.NullHandler())


def followed(items: Iterable[_T], total: int, what: str, report: Report) -> Iterator[_T]:
    """The items as they are; how many of them were taken and done with is shown on the way."""
    if not (report is None or isinstance(report, bool) or callable(report)):
        raise SpecError(f"{what}: progress must be True, False, None or a function of (done, total), not {report!r}")
    begun = told = time.monotonic()
    bar = _bar(what, total, 0, True) if report is True else None
    quiet = report is not None  # a bar is not looked for
    done = 0
    try:
        for item in items:
            yield item
            done += 1
            now = time.monotonic()
            if callable(report):
                report(done, total)
            elif bar is not None:
                bar.update(done - bar.n)
            elif not quiet and now - begun > SECONDS_OF_SILENCE:
                bar, quiet = _bar(what, total, done, False), True
            if now - told > SECONDS_OF_SILENCE or done == total and now - begun > SECONDS_OF_SILENCE:
                told = now
                _log.info("%s: %d of %d after %.1f s", what, done, total, now - begun)
    finally:
        if bar is not None:
            bar.close()


def _bar(what: str, total: int, done: int, asked: bool):  # type: ignore[no-untyped-def]
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
