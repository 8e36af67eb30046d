"""Many bands: arrays and tables of them."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Sequence, Tuple, Union, overload

from ._bands import PLACES, Band, row_of
from ._core import SpecError

if TYPE_CHECKING:
    import numpy
    import pandas

    from ._composition import Composition


class Bands(Sequence[Band]):
    """Bands at many points: `lower` and `upper` are numpy arrays of floats, rounded outward.

    An index that is an int counts all bands; slices give `Bands`, and tuples go by the shape. Where
    `plaudit.map` kept errors, the SpecError stands in the place of the band, with ends that are nan.
    """

    def __init__(self, bands: Sequence[Union[Band, SpecError]], shape: Tuple[int, ...] | None = None) -> None:
        self._bands: List[Any] = list(bands)
        self._shape = (len(self._bands),) if shape is None else tuple(shape)

    @property
    def shape(self) -> Tuple[int, ...]:
        """The shape of the points."""
        return self._shape

    @property
    def lower(self) -> "numpy.ndarray[Any, Any]":
        """The lower ends, rounded down to floats, in the shape of the points."""
        return self._floats("lower")

    @property
    def upper(self) -> "numpy.ndarray[Any, Any]":
        """The upper ends, rounded up to floats, in the shape of the points."""
        return self._floats("upper")

    @property
    def mid(self) -> "numpy.ndarray[Any, Any]":
        """The middles, in floating point, in the shape of the points; no bounds."""
        return self._floats("mid")

    @property
    def width(self) -> "numpy.ndarray[Any, Any]":
        """The widths, in floating point, in the shape of the points."""
        return self._floats("width")

    def _floats(self, name: str) -> "numpy.ndarray[Any, Any]":
        import numpy

        values = [getattr(band, name) if isinstance(band, Band) else float("nan") for band in self._bands]
        return numpy.array(values, dtype=float).reshape(self._shape)

    @property
    def errors(self) -> Dict[int, SpecError]:
        """The errors that were kept, by their places."""
        return {i: each for i, each in enumerate(self._bands) if not isinstance(each, Band)}

    @overload
    def __getitem__(self, index: int) -> Band: ...

    @overload
    def __getitem__(self, index: slice) -> "Bands": ...

    @overload
    def __getitem__(self, index: Tuple[Any, ...]) -> Any: ...

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return Bands(self._bands[index])
        if not isinstance(index, tuple):
            return self._bands[index]
        import numpy

        places = numpy.arange(len(self)).reshape(self._shape)[index]
        if places.ndim == 0:
            return self._bands[int(places)]
        return Bands([self._bands[i] for i in places.ravel()], places.shape)

    def __len__(self) -> int:
        return len(self._bands)

    def __repr__(self) -> str:
        return (f"<{len(self)} band{'s' if len(self) != 1 else ''}: {', '.join(map(str, self._bands[:3]))}"
                f"{', ...' if len(self) > 3 else ''}>")

    def to_dict(self) -> List[Dict[str, Any]]:
        """The bands as what JSON can say.

        Returns
        -------
        list of dict
            As of `Band.to_dict`, one for each band.
        """
        return [each.to_dict() if isinstance(each, Band) else _row_of_error(each) for each in self._bands]

    def to_pandas(self) -> "pandas.DataFrame":
        """A table with one row for each band.

        Returns
        -------
        pandas.DataFrame
            Columns spec, the place (delta or epsilon), quantity, lower, upper, certified, reached,
            accountant, seconds; and error, where errors were kept.
        """
        import pandas

        return pandas.DataFrame([row_of(each) if isinstance(each, Band) else _row_of_error(each)
                                 for each in self._bands])


def error_of(words: str, spec: str, quantity: str, argument: str) -> SpecError:
    """What is wrong with a run, to stand in the place of its band."""
    error = SpecError(words)
    error.question = (spec, quantity, argument)  # type: ignore[attr-defined]
    return error


def _row_of_error(error: SpecError) -> Dict[str, Any]:
    spec, quantity, argument = error.question  # type: ignore[attr-defined]
    nan = float("nan")
    return {"spec": spec, PLACES[quantity]: argument, "quantity": quantity, "lower": nan, "upper": nan,
            "certified": False, "reached": False, "accountant": "", "seconds": nan, "error": str(error)}


class Curve(Bands):
    """The privacy curve of a composition at some points: epsilons at deltas, or deltas at epsilons."""

    def __init__(self, run: "Composition", quantity: str, bands: List[Band]) -> None:
        super().__init__(bands)
        self.run = run
        self.quantity = quantity

    @property
    def points(self) -> List[float]:
        """Where the bands are, as floats."""
        from fractions import Fraction

        return [float(Fraction(band.argument)) for band in self._bands]

    def plot(self, ax: Any = None, **style: Any) -> Any:
        """Draws the band.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; None: axes of a new figure.
        **style
            Of `matplotlib.axes.Axes.plot`, for the line of the upper ends; `color` is that of the band too.

        Returns
        -------
        matplotlib.axes.Axes
            The axes.
        """
        from ._plots import plot_curve

        return plot_curve(self, ax, **style)

    def __repr__(self) -> str:
        return f"<curve of {self.run.spec}: {self.quantity} at {len(self)} points>"

    def _repr_html_(self) -> str:
        import html

        from ._plots import svg_of

        return f"<div><code>{html.escape(self.run.spec)}</code><br>{svg_of(self)}</div>"
