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
        """Draws the band into a matplotlib axes; returns the axes."""
        from ._plots import plot_curve

        return plot_curve(self, ax, **style)

    def to_pandas(self) -> "pandas.DataFrame":
        """A table with one row for each point."""
        return super().to_pandas()

    def _repr_html_(self) -> str:
        import html

        from ._plots import svg_of

        return f"<div><code>{html.escape(self.run.spec)}</code><br>{svg_of(self)}</div>"
