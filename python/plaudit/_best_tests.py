"""Rates of the best tests between neighbouring data sets, and the least mu of Gaussian differential privacy."""
from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Dict, NamedTuple, Optional, Tuple, Union, cast, overload

from . import _core
from ._bands import Band, answered
from ._curves import Bands
from ._many.progress import followed
from ._numbers import DEFAULT_MEMORY, Numbers, Scalar, array_of, check_options, is_array, text_of

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

    @overload
    def false_negative_rate(self, fpr: Scalar) -> Band: ...

    @overload
    def false_negative_rate(self, fpr: Numbers) -> Bands: ...

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
        return self._ask("false_negative_rate", (fpr, "fpr"))

    @overload
    def true_positive_rate(self, fpr: Scalar) -> Band: ...

    @overload
    def true_positive_rate(self, fpr: Numbers) -> Bands: ...

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
        return self._ask("true_positive_rate", (fpr, "fpr"))

    def advantage(self) -> Band:
        """The greatest difference of true and false positive rate: delta(0), the total variation.

        Returns
        -------
        Band
            In [0, 1].
        """
        return self._one("advantage")

    @overload
    def success(self, prior: Scalar = "1/2") -> Band: ...

    @overload
    def success(self, prior: Numbers) -> Bands: ...

    def success(self, prior: Any = "1/2") -> Any:
        """The greatest probability of a right guess: 1 less the Bayes risk.

        Parameters
        ----------
        prior : number or array_like of numbers
            The probability of the alternative, in [0, 1].

        Returns
        -------
        Band or Bands
            In [1/2, 1].
        """
        return self._ask("success", (prior, "prior"))

    @overload
    def predictive_value(self, fpr: Scalar, prior: Scalar = "1/2") -> Band: ...

    @overload
    def predictive_value(self, fpr: Numbers, prior: Union[Scalar, Numbers] = "1/2") -> Bands: ...

    @overload
    def predictive_value(self, fpr: Scalar, prior: Numbers) -> Bands: ...

    def predictive_value(self, fpr: Any, prior: Any = "1/2") -> Any:
        """The greatest probability that the alternative is true where a test rejects.

        Parameters
        ----------
        fpr : number or array_like of numbers
            The least false positive rate of the tests, above 0.
        prior : number or array_like of numbers
            The probability of the alternative, in [0, 1].

        Returns
        -------
        Band or Bands
            In [0, 1].
        """
        return self._ask("predictive_value", (prior, "prior"), (fpr, "fpr"))

    def _ask(self, quantity: str, *arguments: Tuple[Any, str]) -> Any:
        """A Band, or Bands where an argument is an array: numpy's rules say which go with which."""
        if not any(is_array(x) for x, _ in arguments):
            return self._one(quantity, *arguments)
        import numpy

        points = numpy.broadcast(*(array_of(x) for x, _ in arguments))
        names = [name for _, name in arguments]
        bands = (self._one(quantity, *zip(each, names)) for each in points)
        return Bands(list(followed(bands, points.size, quantity, False)), points.shape)

    def _one(self, quantity: str, *arguments: Tuple[Any, str]) -> Band:
        texts = [text_of(x, name) for x, name in arguments]
        core = cast(_core.Band, getattr(self._core, quantity)(*texts))
        return answered(Band(core, self.run, quantity, ", ".join(texts), self._options))

    def __repr__(self) -> str:
        return f"<best tests of {self.run.spec}>"
