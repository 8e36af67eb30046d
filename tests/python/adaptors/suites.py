"""The test files of other libraries, as pip installs them, with our accountants in the place of theirs.

    suites.py NAME [--verbose]

prints a line for each test, `passed` or `failed` and its name. Nothing of theirs is copied: their module is imported
after the class that it tests was replaced. Opacus' file states constants of its own accountants, for which the exact
values stand here; each of these is a certified upper end, rounded, and the text of the file is otherwise as it is.
"""
import importlib.util
import math
import sys
import unittest

import numpy

RELATIONS = ("ADD_OR_REMOVE_ONE", "REPLACE_ONE", "REPLACE_SPECIAL")


def base():
    """The suite that every accountant of dp_accounting has to pass."""
    import dp_accounting
    from dp_accounting import privacy_accountant_test

    from plaudit.dp_accounting import PlauditAccountant

    class Suite(privacy_accountant_test.PrivacyAccountantTest):
        def _make_test_accountants(self):
            return [PlauditAccountant(dp_accounting.NeighboringRelation[name]) for name in RELATIONS]

    return [Suite]


def pld():
    """That of its PLDAccountant."""
    from dp_accounting.pld import pld_privacy_accountant

    from plaudit.dp_accounting import PlauditAccountant

    pld_privacy_accountant.PLDAccountant = PlauditAccountant
    from dp_accounting.pld import pld_privacy_accountant_test

    return [pld_privacy_accountant_test.PldPrivacyAccountantTest]


def rdp():
    """That of its RdpAccountant: it looks at the divergences, which are the upper ends of ours."""
    import dp_accounting
    from dp_accounting.rdp import rdp_privacy_accountant

    from plaudit.dp_accounting import PlauditAccountant

    class Renyi(PlauditAccountant):
        def __init__(self, orders=None, neighboring_relation=dp_accounting.NeighboringRelation.ADD_OR_REMOVE_ONE):
            super().__init__(neighboring_relation, digits=10)
            self._orders = numpy.array(rdp_privacy_accountant.DEFAULT_RDP_ORDERS if orders is None else orders)

        @property
        def _rdp(self):
            return self.get_renyi_divergences(self._orders)

        @property
        def _extra_delta(self):
            """What no epsilon saves."""
            return max(self.composition.loss(each).mass_at_infinity().upper for each in ("remove", "add"))

    rdp_privacy_accountant.RdpAccountant = Renyi
    from dp_accounting.rdp import rdp_privacy_accountant_test

    return [rdp_privacy_accountant_test.RdpPrivacyAccountantTest]


#: Of Opacus' file: what it states of its accountants, and the exact value at the same place. Noise multipliers are those
#: at which its search stops with the exact epsilon, within 0.01 of the target.
CONSTANTS = [
    ("7.32911117143", "6.768780393418"),           # epsilon at delta 1e-5: sigma 1.5, rate 0.04, 2250 steps
    ("6.777395712150674", "6.767044105816"),       # 2249 steps
    ("assertLess(6.59, epsilon)", "assertLess(6.767044, epsilon)"),
    ("assertLess(epsilon, 6.6)", "assertLess(epsilon, 6.767045)"),
    ("1.416, places=4", "1.346435546875"),         # epsilon 8, 2250 steps
    ("1.34765625, places=4", "1.346435546875"),
    ("1.3232421875", "1.346435546875"),
    ("1.3562, places=4", "1.290283203125"),        # 2000 steps
    ("1.2915, places=4", "1.290283203125"),
]


def opacus():
    """That of Opacus' accountants: its names rdp, gdp and prv are ours."""
    import opacus.accountants as theirs
    from opacus.accountants import registry

    from plaudit.opacus import PlauditAccountant

    for name, known in (("rdp", "RDPAccountant"), ("gdp", "GaussianAccountant"), ("prv", "PRVAccountant")):
        ours = type(known, (PlauditAccountant,), {"mechanism": classmethod(lambda cls, name=name: name)})
        setattr(theirs, known, ours)
        registry._ACCOUNTANTS[name] = ours
    spec = importlib.util.find_spec("opacus.tests.accountants_test")
    with open(spec.origin, encoding="utf-8") as file:
        text = file.read()
    for theirs_text, exact in CONSTANTS:
        assert theirs_text in text, theirs_text
        text = text.replace(theirs_text, exact)
    module = importlib.util.module_from_spec(spec)
    exec(compile(text, spec.origin, "exec"), module.__dict__)
    return [module.AccountantRegistryTest, module.AccountingTest]


def main():
    names = {"base": base, "pld": pld, "rdp": rdp, "opacus": opacus}
    loader = unittest.TestLoader()
    suite = unittest.TestSuite(loader.loadTestsFromTestCase(each) for each in names[sys.argv[1]]())

    class Result(unittest.TestResult):
        def startTest(self, test):
            super().startTest(test)
            self._bad = []

        def addFailure(self, test, error):
            self._bad.append(error)

        def addError(self, test, error):
            self._bad.append(error)

        def addSubTest(self, test, subtest, error):
            if error is not None:
                self._bad.append(error)

        def stopTest(self, test):
            name = test._testMethodName
            print("failed" if self._bad else "passed", name, flush=True)
            if self._bad and "--verbose" in sys.argv:
                for kind, value, _ in self._bad:
                    print("   ", kind.__name__, str(value)[:600].replace("\n", " "), flush=True)

    from absl import flags

    flags.FLAGS(sys.argv[:1])
    suite.run(Result())


if __name__ == "__main__":
    main()
