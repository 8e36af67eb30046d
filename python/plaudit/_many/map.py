"""Bands of many runs, in this process or by an executor."""
from __future__ import annotations

from concurrent.futures import Executor, Future
from typing import TYPE_CHECKING, Any, Callable, Dict, Generator, Iterable, List, Set, Tuple, TypeVar, Union

from .._bands import Band, Quietly, answered
from .._composition import Composition, parse
from .._core import SpecError
from .._curves import Bands, error_of
from .._numbers import DEFAULT_MEMORY, Number, is_missing, records_of, text_of
from .halts import Halt
from .progress import Report, followed
from .._sessions import Session
from ..extend import names_in, refuse_unregistered, registered

if TYPE_CHECKING:
    import pandas

_T = TypeVar("_T")

#: Runs in one task: with more of them less is sent, with fewer less is lost where a worker fails.
CHUNK = 32

#: Columns of a table, as of claims: what was run, or the arguments of dpsgd under any name that it knows.
_RUN = ("spec", "history", "event")
#: Columns that say nothing about the question, or what is claimed.
_OTHER = {"id", "kind", "epsilon_lower", "epsilon_upper", "delta_lower", "delta_upper", "tolerance",
          "relative_tolerance", "source", "notes"}


#: A composition, which may be longer than a text that is read, or a text, or what is wrong with the row.
Asked = Union[Composition, str, SpecError]
#: What is asked of it: the quantity, and at which point.
Task = Tuple[Asked, str, str]


def _answers(chunk: List[Task], options: Dict[str, Any], needed: Set[str], halt: Halt) -> List[Any]:
    """Of a chunk, in a thread or a process of an executor."""
    results = []
    with halt:
        for answer in _each(chunk, options, needed):
            halt.check()
            results.append(answer)
    return results


def _each(chunk: List[Task], options: Dict[str, Any], needed: Set[str]) -> Generator[Any, None, None]:
    """The bands of a chunk, or the words of what is wrong with a run."""
    session: Tuple[Asked, Session] | None = None
    for run, quantity, argument in chunk:
        try:
            if isinstance(run, SpecError):
                raise run
            refuse_unregistered(needed & _words(run, options))
            if session is None or session[0] != run:
                session = (run, Session(parse(run) if isinstance(run, str) else run, **options))
            with Quietly():
                answer = getattr(session[1], quantity)(argument)
        except (ValueError, RuntimeError) as error:
            answer, session = str(error), None
        yield answer


def _words(run: Asked, options: Dict[str, Any]) -> Set[str]:
    """The names in a spec and in that of the accountant."""
    text = run.stated if isinstance(run, Composition) else str(run)
    return names_in(f"{text} {options.get('accountant', '')}")


def _answers_of(executor: Executor, chunks: List[List[Task]], options: Dict[str, Any],
                needed: Set[str]) -> Generator[Any, None, None]:
    """The answers of the chunks, in their order. Where the caller ends early, by Ctrl-C or an error,
    chunks that have not begun are cancelled, and those that have are halted."""
    halt = Halt()
    futures: List[Future[List[Any]]] = []
    try:
        for each in chunks:
            futures.append(executor.submit(_answers, each, options, needed, halt))
        for future in futures:
            yield from future.result()
        halt.close()
    finally:
        if not all([future.cancel() or future.done() for future in futures]):
            halt.set()
        halt.close()


def _run_of(run: Any) -> Union[Composition, str]:
    return run if isinstance(run, Composition) else str(run)


def _table(table: Any, quantity: str | None) -> Tuple[List[Asked], str, List[Any] | None]:
    """(runs, quantity, points) of a table; the points are None where the caller states them."""
    rows = records_of(table)
    names = [str(name) for name in table.columns]
    if quantity is None:
        if "delta" not in names and "epsilon" not in names:
            raise SpecError("map: give delta or epsilon, or a table with a column of that name")
        quantity = "epsilon" if "delta" in names else "delta"  # with both, epsilon is what is claimed
        place = "delta" if quantity == "epsilon" else "epsilon"
        points: List[Any] | None = [row[place] for row in rows]
    else:
        points = None
    return [_kept(_run_of_row, row, i) for i, row in enumerate(rows)], quantity, points


def _kept(ask: Callable[..., _T], *words: Any) -> Union[_T, SpecError]:
    """What it gives, or what is wrong."""
    try:
        return ask(*words)
    except SpecError as error:
        return error


def _run_of_row(row: Dict[str, Any], number: int) -> Union[Composition, str]:
    given = {name: value for name, value in row.items()
             if not is_missing(value) and name not in _OTHER | {"delta", "epsilon"}}
    stated = [name for name in _RUN if name in given]
    if stated:
        others = sorted(set(given) - set(stated))
        if len(stated) > 1 or others:
            raise SpecError(f"map: row {number}: beside {stated[0]} there can be no {', '.join(stated[1:] + others)}")
        run = given[stated[0]]
        if isinstance(run, (str, Composition)):
            return _run_of(run)
        from .._events.libraries import from_

        return from_(run)
    if not given:
        raise SpecError(f"map: row {number}: what was run is needed: spec, or noise_multiplier, sample_rate, steps")
    given = {"steps" if name == "T" else name: value for name, value in given.items()}
    return "dpsgd(" + ", ".join(f"{name}={text_of(value, name)}" for name, value in given.items()) + ")"


def map(runs: Union[Iterable[Union[Composition, str]], "pandas.DataFrame"], *,
        delta: Number | Iterable[Number] | None = None, epsilon: Number | Iterable[Number] | None = None,
        executor: Executor | None = None, chunk: int = CHUNK, errors: str = "raise", progress: Report = None,
        digits: int = 12,
        accountant: str = "auto", direction: str = "both", timeout: float | None = 60, threads: int = 1,
        memory: int = DEFAULT_MEMORY) -> Bands:
    """The bands of many runs, in their order.

    Parameters
    ----------
    runs : iterable of Composition or str, or pandas.DataFrame
        What was run; runs of one spec share their work where they follow each other. A table has columns
        as claims have: spec, or noise_multiplier, sample_rate, steps, ...; and delta or epsilon, where
        these are not stated here. With both of them epsilon is asked for, and that column is a claim.
    delta, epsilon : number or iterable of numbers
        One of the two: one number for all runs, or one for each.
    executor : concurrent.futures.Executor, optional
        Runs the tasks: a process pool, `dask.distributed.Client(...).get_executor()`; None: this process.
    chunk : int
        Runs in one task.
    errors : {"raise", "keep"}
        Raise the first SpecError, or keep it in the place of the band.
    progress : callable, bool or None
        A function of (done, total), called after each run (with an executor as its chunks end); True: a bar of tqdm; None: that bar where tqdm is
        installed and the standard error is a terminal or a notebook. The logger "plaudit" tells the same at
        level INFO. Calls of less than two seconds log nothing, and show a bar for True alone.
    digits, accountant, direction, timeout, threads, memory
        As of `Session`.

    Returns
    -------
    Bands
        With `errors="keep"`, a SpecError stands where there is no band.

    Raises
    ------
    SpecError
        A run or a number that is wrong.

    Warns
    -----
    WidthNotReached
        A band is wider than was asked.
    """
    is_table = hasattr(runs, "columns")
    if (delta is not None and epsilon is not None) or (delta is None and epsilon is None and not is_table):
        raise SpecError("map: give delta or epsilon")
    if errors not in ("raise", "keep"):
        raise SpecError(f"map: errors must be raise or keep, not {errors!r}")
    asked = "epsilon" if delta is not None else "delta" if epsilon is not None else None
    at: Any = delta if delta is not None else epsilon
    if is_table:
        asked_of, quantity, points_of_table = _table(runs, asked)
        at = at if points_of_table is None else points_of_table
    else:
        asked_of, quantity = [_run_of(run) for run in runs], str(asked)
    return _collected(_tasks(asked_of, quantity, at, errors), executor, max(1, chunk), errors, progress,
                      {"digits": digits, "accountant": accountant, "direction": direction, "timeout": timeout,
                       "threads": threads, "memory": memory})


def _tasks(asked_of: List[Asked], quantity: str, at: Any, errors: str) -> List[Task]:
    """The questions; what is wrong with a row or with its point stands in the place of its run, or is raised."""
    place = "delta" if quantity == "epsilon" else "epsilon"
    if isinstance(at, str) or not hasattr(at, "__iter__") or getattr(at, "ndim", 1) == 0:
        points: List[Any] = [text_of(at, place)] * len(asked_of)
    else:
        points = list(at)
    if len(points) != len(asked_of):
        raise SpecError(f"map: {len(asked_of)} runs, but {len(points)} values")
    tasks: List[Task] = []
    for i, (run, point) in enumerate(zip(asked_of, points)):
        text = _kept(text_of, point, place)
        wrong = next((each for each in (run, text) if isinstance(each, SpecError)), None)
        if wrong is not None and errors == "raise":
            raise wrong if wrong is run or len(points) == 1 else SpecError(f"map: run {i}: {wrong}")
        tasks.append((wrong or run, quantity, str(point) if isinstance(text, SpecError) else text))
    return tasks


def _collected(tasks: List[Task], executor: Executor | None, chunk: int, errors: str, progress: Report,
               options: Dict[str, Any]) -> Bands:
    if executor is None:
        answers = _each(tasks, options, set())
    else:
        chunks = [tasks[i:i + chunk] for i in range(0, len(tasks), chunk)]
        answers = _answers_of(executor, chunks, options, registered())
    results: List[Any] = []
    try:
        for answer in followed(answers, len(tasks), "map", progress):
            if isinstance(answer, Band):
                results.append(answered(answer))
            elif errors == "keep":
                run, quantity, argument = tasks[len(results)]
                text = run if isinstance(run, str) else run.stated if isinstance(run, Composition) else ""
                results.append(error_of(answer, text, quantity, argument))
            else:
                raise SpecError(answer if len(tasks) == 1 else f"map: run {len(results)}: {answer}")
    finally:
        answers.close()  # what has not begun is cancelled now, and not when the traceback is given up
    return Bands(results)
