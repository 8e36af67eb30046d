"""A calibration crept towards the threshold from one side, by 300 queries each nearer by a little, and never
looked beyond: `exponential(epsilon=?)^2` at a target of 1 ended without a value that suffices, and so did a Poisson
sample of Laplace noise at its time limit."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from _program import exact, expect, finish, run  # noqa: E402

for spec, target, more in (
        ("exponential(epsilon=?)^2", ("--target-epsilon", "1", "--delta", "1e-5"), False),
        ("exponential(epsilon=?)^3", ("--target-epsilon", "1", "--delta", "0"), False),
        ("bounded_range(epsilon=?)^2", ("--target-epsilon", "0.5", "--delta", "1e-6"), False),
        ("permute_and_flip(epsilon=?)^2", ("--target-epsilon", "1", "--delta", "1e-5"), False),
        ("randomized_response(epsilon=?)^3", ("--target-epsilon", "1", "--delta", "1e-3"), False),
        ("laplace(scale=?)^2", ("--target-delta", "1e-3", "--epsilon", "1"), True),
        ("poisson(laplace(scale=?), rate=0.05)^4", ("--target-epsilon", "1", "--delta", "1e-5"), True)):
    done = run("calibrate", spec, *target, "--digits", "5", "--json", timeout=600)
    found = done.json()
    if found["fails"] is not None and found["suffices"] is None:
        expect(False, f"{spec}: nothing suffices: {found['remark']}")
        continue
    expect(found["queries"] <= 150, f"{spec}: {found['queries']} queries")
    expect(found["suffices"] is not None, f"{spec}: {found}")
    if found["fails"] is None:  # no value certainly fails where only upper ends are known
        expect(found["remark"], f"{spec}: {found}")
        continue
    low, high = sorted((exact(found["suffices"]), exact(found["fails"])))
    expect(high - low <= high / 10**5, f"{spec}: {found['suffices']}, {found['fails']}: {found.get('remark')}")
    expect((exact(found["suffices"]) > exact(found["fails"])) == more, f"{spec}: {found}")

# A value that the spec does not allow ends the range, and the search does not creep back from it one by one.
found = run("calibrate", "without_replacement(gaussian(sigma=300), batch=?, population=777, adjacency=add_remove)",
            "--target-epsilon", "1", "--delta", "1e-5", "--json").json()
expect(found["suffices"] == "777" and found["reached"] and found["queries"] <= 60, f"the end of the range: {found}")
finish()
