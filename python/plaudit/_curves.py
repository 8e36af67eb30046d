"""A band at each of many points."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, List

from ._bands import Band, Bands

if TYPE_CHECKING:
    import pandas

    from ._composition import Composition


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

    def to_pandas(self) -> "pandas.DataFrame":
        """A table with one row for each point.

        Returns
        -------
        pandas.DataFrame
            As of `Bands.to_pandas`.
        """
        return super().to_pandas()

    def _repr_html_(self) -> str:
        import html

        from ._plots import svg_of

        return f"<div><code>{html.escape(self.run.spec)}</code><br>{svg_of(self)}</div>"
