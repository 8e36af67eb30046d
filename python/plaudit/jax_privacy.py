"""An accountant configuration for the training accountants of jax-privacy.

    from plaudit.jax_privacy import PlauditAccountantConfig
    jax_privacy.accounting.DpsgdTrainingAccountant(dp_accountant_config=PlauditAccountantConfig())

Their events are read as `plaudit.from_` reads them; docs/adaptors.md has the table."""
from __future__ import annotations

from typing import Any

import dp_accounting
from dp_accounting import pld
from jax_privacy import accounting

from .dp_accounting import PlauditAccountant


class _Accountant(PlauditAccountant, pld.PLDAccountant):  # type: ignore[misc]
    """Some analyses of jax-privacy take PLDAccountant alone, for the events that it knows."""


class PlauditAccountantConfig(accounting.PldAccountantConfig):  # type: ignore[misc]
    """Makes accountants whose answers are certified upper ends, rounded up.

    Parameters
    ----------
    neighboring_relation : dp_accounting.NeighboringRelation
        As of dp_accounting's own accountants.
    digits : int
        Significant decimal digits wanted in the width of the band.
    timeout : float or None
        Seconds for each answer; None: no limit.
    """

    def __init__(self, neighboring_relation: Any = dp_accounting.NeighboringRelation.ADD_OR_REMOVE_ONE, *,
                 digits: int = 8, timeout: float | None = 60) -> None:
        super().__init__()
        self.neighboring_relation, self.digits, self.timeout = neighboring_relation, digits, timeout

    def create_accountant(self) -> PlauditAccountant:
        """A fresh accountant.

        Returns
        -------
        PlauditAccountant
            Before any event.
        """
        return _Accountant(self.neighboring_relation, digits=self.digits, timeout=self.timeout)
