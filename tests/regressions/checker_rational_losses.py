"""The Python checker took the losses of a law for known rationals only where these have a common lattice, and the mass at
infinity of a file for known only where all masses are. So it had one value too many for a Poisson sample, refused a joint
mechanism of joint ones, and did not find the tie of a claim with the greatest loss."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _certificates import expect_accepted, expect_rejected, trivial  # noqa: E402
from _program import finish  # noqa: E402

FILE = {"f.json": {"adjacency": "add/remove", "both": {"losses": ["-1", "1"], "masses": [["0.26", "0.27"], ["0.73", "0.74"]]}}}


def by_atoms(values):
    half = [{"count": 1, "lows": [0] * values, "highs": [1] * values}]
    return trivial('poisson(pld(file="f.json"), rate=0.5)^2', files=FILE, adjacency="add_remove", argument="0.1", lower="0.00001", statements=[
        {"direction": "add", "epsilon": "0.1", "at_least": "0.00001", "kind": "atoms", "bits": 128, "choices": {"outer": half, "inner": half}}])


def at_the_end(spec, end):
    """Exactly at the greatest loss delta reaches 0."""
    first = {"direction": "remove", "epsilon": end, "kind": "ends", "bits": 128, "choices": {}}
    return trivial(spec, quantity="epsilon", argument="0", lower=end, upper=end, statements=[
        {**first, "at_most": "0"}, {**first, "exceeds_before": "0"}])


def main():
    expect_accepted("masses that are intervals, nothing at infinity: two values under add", by_atoms(2))
    expect_rejected("no third value", by_atoms(3), ["lows"])
    near = "joint(pure(epsilon=1), pure(epsilon=1e-300))"
    for spec, whole in ((near, "1."), (f"joint({near}, pure(epsilon=2))", "3.")):
        expect_accepted(spec, at_the_end(spec, whole + "0" * 299 + "1"))
        expect_rejected(f"{spec}, below", at_the_end(spec, whole + "0" * 299 + "09"), ["not proven"])
    finish()


main()
