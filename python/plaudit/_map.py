"""Bands of many runs, in this process or by an executor."""
from __future__ import annotations

import warnings
from concurrent.futures import Executor
from typing import Any, Dict, Iterable, Iterator, List, Tuple, Union

from ._bands import Band, Bands
from ._composition import Composition, parse
from ._core import SpecError
from ._numbers import Number, text_of
from ._sessions import Session

#: Runs in one task: with more of them less is sent, with fewer less is lost where a worker fails.
CHUNK = 32


def _answers(chunk: List[Tuple[str, str, str]], options: Dict[str, Any]) -> List[Any]:
    """The bands of a chunk, or the words of what is wrong with a run."""
    results: List[Any] = []
    session: Tuple[str, Session] | None = None
    for spec, quantity, argument in chunk:
        try:
            if session is None or session[0] != spec:
                session = (spec, Session(parse(spec), **options))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                results.append(getattr(session[1], quantity)(argument))
        except (ValueError, RuntimeError) as error:
            results.append(str(error))
            session = None
    return results


def _answers_of(executor: Executor, chunks: List[List[Tuple[str, str, str]]],
                options: Dict[str, Any]) -> Iterator[List[Any]]:
    """The answers of the chunks, in their order. Where the caller ends early, by Ctrl-C or an error,
    chunks that have not begun are cancelled."""
    futures = [executor.submit(_answers, each, options) for each in chunks]
    try:
        for future in futures:
            yield future.result()
    finally:
        for future in futures:
            future.cancel()


def map(runs: Iterable[Union[Composition, str]], *, delta: Number | Iterable[Number] | None = None,
        epsilon: Number | Iterable[Number] | None = None, executor: Executor | None = None,
        chunk: int = CHUNK, errors: str = "raise", **options: Any) -> Any:
    """The bands of many runs, in their order.

    Parameters
    ----------
    runs : iterable of Composition or str
        What was run; runs of one spec share their work where they follow each other.
    delta, epsilon : number or iterable of numbers
        One of the two: one number for all runs, or one for each.
    executor : concurrent.futures.Executor, optional
        Runs the tasks: a process pool, `dask.distributed.Client(...).get_executor()`; None: this process.
    chunk : int
        Runs in one task.
    errors : {"raise", "keep"}
        Raise the first SpecError, or keep it in the place of the band.
    **options
        Of `Session`: digits, accountant, direction, timeout, threads, memory.

    Returns
    -------
    Bands or list
        A list where errors are kept among the bands.

    Raises
    ------
    SpecError
        A run or a number that is wrong.
    """
    if (delta is None) == (epsilon is None):
        raise SpecError("map: give delta or epsilon")
    quantity = "epsilon" if delta is not None else "delta"
    at: Any = delta if delta is not None else epsilon
    specs = [run.stated if isinstance(run, Composition) else str(run) for run in runs]
    if isinstance(at, str) or not hasattr(at, "__iter__") or getattr(at, "ndim", 1) == 0:
        points = [text_of(at, quantity)] * len(specs)
    else:
        points = [text_of(each, quantity) for each in at]
    if len(points) != len(specs):
        raise SpecError(f"map: {len(specs)} runs, but {len(points)} values")
    tasks = [(spec, quantity, point) for spec, point in zip(specs, points)]
    chunks = [tasks[i:i + max(1, chunk)] for i in range(0, len(tasks), max(1, chunk))]
    if executor is None:
        parts: Iterable[List[Any]] = (_answers(each, options) for each in chunks)
    else:
        parts = _answers_of(executor, chunks, options)
    results: List[Any] = []
    for part in parts:
        for answer in part:
            if isinstance(answer, Band) or errors == "keep":
                results.append(answer if isinstance(answer, Band) else SpecError(answer))
            else:
                raise SpecError(answer)
    return Bands(results) if all(isinstance(each, Band) for each in results) else results
