"""Rates of the best tests between neighbouring data sets, and the least mu of Gaussian differential privacy."""
from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Tuple, cast

from . import _core
from ._bands import Band, Bands, warn_if_wide
from ._numbers import DEFAULT_MEMORY, Number, check_options, text_of

if TYPE_CHECKING:
    from ._composition import Composition


class GaussianMu(NamedTuple):
    """The least mu for which a run is mu-GDP, as a proven band."""

    #: The ends, rounded outward to floats; `upper` may be infinite.
    lower: float
    upper: float
    #: At most how far the trade-off functions of the run and of `upper` are apart.
    regret: float
    #: mu^2, where it is known to be this rational.
    exact_square: Optional[Fraction]
    reached: bool
    #: Why the band is wider than asked, or infinite, where it is.
    remark: str


class BestTests:
    """What the best tests between neighbouring data sets can do.

    Many questions about one run, which share their work. Made by `Composition.best_tests`.

    In the direction "remove" the null hypothesis is the output without the record, the alternative
    the output with it; in "add" they are swapped. With both directions each number is that of the
    attacker who does better. Rates may be arrays; the answers are `Bands` then.

    Parameters
    ----------
    run : Composition
        What is asked about.
    digits, direction, timeout, memory
        As of `Composition.epsilon`; the timeout is for each question.

    Examples
    --------
    >>> import plaudit as pl
    >>> tests = pl.gaussian(1).best_tests()
    >>> tests.false_negative_rate("1e-3").decimal(8)
    ('0.98170153', '0.98170154')
    >>> tests.advantage().decimal(8)
    ('0.38292492', '0.38292493')
    """

    def __init__(self, run: "Composition", *, digits: int = 12, direction: str = "both",
                 timeout: float | None = 60, memory: int = DEFAULT_MEMORY) -> None:
        check_options(digits=digits, memory=memory, timeout=timeout)
        #: The composition that is asked about.
        self.run = run
        self._options: Dict[str, Any] = {"digits": digits, "accountant": "auto",
                                         "direction": direction, "memory": memory}
        self._core = _core.BestTests(run._core, digits, direction, timeout, memory)

    def false_negative_rate(self, fpr: Any) -> Any:
        """The trade-off function: the least false negative rate of a test of that false positive rate.

        Parameters
        ----------
        fpr : number or array_like of numbers
            The false positive rate, in [0, 1].

        Returns
        -------
        Band or Bands
            In [0, 1].
        """
        return self._rates("false_negative_rate", fpr)

    def true_positive_rate(self, fpr: Any) -> Any:
        """The greatest true positive rate of a test of that false positive rate.

        Parameters
        ----------
        fpr : number or array_like of numbers
            As of `false_negative_rate`.

        Returns
        -------
        Band or Bands
            In [0, 1].
        """
        return self._rates("true_positive_rate", fpr)

    def advantage(self) -> Band:
        """The greatest difference of true and false positive rate: delta(0), the total variation.

        Returns
        -------
        Band
            In [0, 1].
        """
        return self._one("advantage")

    def success(self, prior: Number = "1/2") -> Band:
        """The greatest probability of a right guess: 1 less the Bayes risk.

        Parameters
        ----------
        prior : number
            The probability of the alternative, in [0, 1].

        Returns
        -------
        Band
            In [1/2, 1].
        """
        return self._one("success", (prior, "prior"))

    def predictive_value(self, fpr: Number, prior: Number = "1/2") -> Band:
        """The greatest probability that the alternative is true where a test rejects.

        Parameters
        ----------
        fpr : number
            The least false positive rate of the tests, above 0.
        prior : number
            The probability of the alternative, in [0, 1].

        Returns
        -------
        Band
            In [0, 1].
        """
        return self._one("predictive_value", (prior, "prior"), (fpr, "fpr"))

    def _rates(self, quantity: str, fpr: Any) -> Any:
        if getattr(fpr, "ndim", 0) > 0 or isinstance(fpr, (list, tuple)):
            import numpy

            points = numpy.asarray(fpr, dtype=object if isinstance(fpr, (list, tuple)) else None)
            bands: List[Band] = [self._one(quantity, (x, "fpr")) for x in points.ravel()]
            return Bands(bands, points.shape)
        return self._one(quantity, (fpr, "fpr"))

    def _one(self, quantity: str, *arguments: Tuple[Number, str]) -> Band:
        texts = [text_of(x, name) for x, name in arguments]
        core = cast(_core.Band, getattr(self._core, quantity)(*texts))
        return warn_if_wide(Band(core, self.run, quantity, ", ".join(texts), self._options))

    def __repr__(self) -> str:
        return f"<best tests of {self.run.spec}>"
