"""The accountant "plaudit" of Opacus: importing this module registers it.

    import plaudit.opacus
    engine = PrivacyEngine(accountant="plaudit")

`get_epsilon` returns the certified upper end, rounded up. Opacus hands on doubles, as the sample
rate 1 / len(data_loader); each is read as the decimal that it prints (docs/adaptors.md)."""
from __future__ import annotations

import math
import sys
import warnings
from typing import Any, Dict, List, Tuple

from opacus.accountants import IAccountant, register_accountant

from ._bands import Band
from ._composition import Composition
from ._events import NonPrivate
from ._events.libraries import composed, factors_of_history, unsampled
from ._observed.libraries import sampling_of
from ._sessions import Session

#: Significant digits in the width of the band, where none are asked for.
DIGITS = 8

#: What other accountants of Opacus take to set their accuracy: it means nothing here.
_OF_OTHERS = frozenset(("alphas", "eps_error", "delta_error"))


class NoPoissonSampling(UserWarning):
    """A training was begun with batches that no Poisson sampler draws: nothing is gained by sampling."""


class PlauditAccountant(IAccountant):  # type: ignore[misc]
    """Privacy of DP-SGD with Poisson-sampled batches, under add/remove adjacency.

    Where `make_private` was called with poisson_sampling=False, the answer is that of the noise alone: one
    Gaussian in each step, for a record that is in any batch at most once.
    """

    def __init__(self) -> None:
        super().__init__()
        self.history: List[Tuple[float, float, int]] = []
        #: False where batches are known to be drawn otherwise.
        self.poisson_sampling = True

    def get_optimizer_hook_fn(self, sample_rate: float) -> Any:
        """As of Opacus' own; by which sampler the loader of `make_private` draws its batches is noticed.

        Parameters
        ----------
        sample_rate : float
            Probability with which each record is in the batch.

        Returns
        -------
        callable
            Which the optimizer calls after each step.
        """
        frame = sys._getframe().f_back
        while frame is not None and frame.f_code.co_name != "make_private":
            frame = frame.f_back
        if frame is not None and sampling_of(frame.f_locals.get("data_loader")) != "poisson":
            self.poisson_sampling = False
            warnings.warn(NoPoissonSampling(
                "make_private was called with poisson_sampling=False, or with a loader that does not draw so: no amplification by sampling is proven for shuffled "
                "batches. get_epsilon answers for the noise alone, one Gaussian in each step. Where each pass over the "
                "loader is complete, one in each epoch is proven, for a record that is replaced by a blank one: "
                "plaudit.shuffled(plaudit.gaussian(noise_multiplier), steps, adjacency='zero_out')**epochs"), stacklevel=3)
        return super().get_optimizer_hook_fn(sample_rate)

    def state_dict(self, destination: Any = None) -> Any:
        """As of Opacus' own, with what is known of the batches.

        Parameters
        ----------
        destination : dict, optional
            Which is filled.

        Returns
        -------
        dict
            For `load_state_dict`.
        """
        state = super().state_dict(destination)
        if not self.poisson_sampling:
            state["poisson_sampling"] = False
        return state

    def load_state_dict(self, state_dict: Any) -> None:
        """As of Opacus' own.

        Parameters
        ----------
        state_dict : dict
            As `state_dict` gives it.
        """
        super().load_state_dict(state_dict)
        self.poisson_sampling = state_dict.get("poisson_sampling", True) is not False

    def _factors(self) -> Dict[str, int]:
        return factors_of_history(self.history if self.poisson_sampling else unsampled(self.history))

    def step(self, *, noise_multiplier: float, sample_rate: float) -> None:
        """One step; equal ones that follow each other are counted in one entry of `history`.

        Parameters
        ----------
        noise_multiplier : float
            Standard deviation of the noise over the clipping norm.
        sample_rate : float
            Probability with which each record is in the batch.
        """
        if self.history:
            last_noise, last_rate, steps = self.history[-1]
            if last_noise == noise_multiplier and last_rate == sample_rate:
                self.history[-1] = (last_noise, last_rate, steps + 1)
                return
        self.history.append((noise_multiplier, sample_rate, 1))

    def get_epsilon(self, delta: float, **options: Any) -> float:
        """An epsilon that suffices.

        Parameters
        ----------
        delta : float
            In [0, 1].
        **options
            digits, timeout, accountant of `plaudit.Composition.epsilon`. Those by which other
            accountants set their accuracy (alphas, eps_error, delta_error) are ignored.

        Returns
        -------
        float
            Rounded up; inf for steps without noise, 0 before any step.
        """
        options = {key: value for key, value in options.items() if key not in _OF_OTHERS}
        try:
            factors = self._factors()
        except NonPrivate:
            return math.inf
        if not any(factors.values()):
            return 0.0
        return self._band(composed(factors), delta, options).upper

    def band(self, delta: float, **options: Any) -> Band:
        """Both ends, and the certificate.

        Parameters
        ----------
        delta : float
            In [0, 1].
        **options
            Of `plaudit.Composition.epsilon`.

        Returns
        -------
        Band
            Of epsilon, in nats.
        """
        return self._band(self.composition, delta, options)

    @staticmethod
    def _band(run: Composition, delta: float, options: Any) -> Band:
        asked: Dict[str, Any] = {"digits": DIGITS, **options}
        band: Band = Session(run, **asked).epsilon(delta)
        return band

    @property
    def composition(self) -> Composition:
        """What was run so far."""
        return composed(self._factors())

    def __len__(self) -> int:
        """As of Opacus' own accountants: the entries of `history`."""
        return len(self.history)

    @classmethod
    def mechanism(cls) -> str:
        """The name under which Opacus knows it.

        Returns
        -------
        str
            "plaudit".
        """
        return "plaudit"


register_accountant(PlauditAccountant.mechanism(), PlauditAccountant, force=True)
