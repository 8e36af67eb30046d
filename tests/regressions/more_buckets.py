"""More buckets gave wider bands: 1000 of them an epsilon of at most 60883 where 100 gave 208, as both laws were composed
for the crossing of the curve between them; and from 2^17 on `auto` squared the factor, which widens the mesh."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from _program import exact, expect, finish, run  # noqa: E402


def width(command, spec, option, argument, buckets):
    answer = run(command, spec, option, argument, "--direction", "remove", "--json", "--timeout", "300",
                 "--accountant", f"privacy_buckets(buckets={buckets})", timeout=600).json()
    return exact(answer["upper"]) - exact(answer["lower"]) if answer["upper"] != "inf" else None


for spec, counts in (("poisson(gaussian(sigma=0.8), rate=0.001)^10000", (100, 300, 1000, 3000)),
                     ("poisson(gaussian(sigma=1), rate=0.01)^3000", (100, 1000)),
                     ("laplace(scale=5)^300", (100, 1000))):
    widths = [width("epsilon", spec, "--delta", "1e-7", count) for count in counts]
    expect(None not in widths, f"{spec}: not bounded: {widths}")
    for few, more in zip(widths, widths[1:]):
        expect(few is None or more is None or more <= few, f"{spec}: {[each and float(each) for each in widths]}")
few, more = (width("delta", "poisson(gaussian(sigma=0.8), rate=0.004)^200", "--epsilon", "1.5", count)
             for count in (131072, 140000))
expect(more <= few, f"more than 2^17 buckets: {float(more)} against {float(few)}")
# Millions of steps, and laws with atoms, for which a grid for all steps at once was out of reach.
for spec, most in (("laplace(scale=1000)^1000000", "0.1"), ("randomized_response(epsilon=0.1)^100", "0.02"),
                   ("laplace(scale=2)^50", "0.02"), ("poisson(gaussian(sigma=1), rate=0.001)^1000000", "0.5")):
    widths = [width("epsilon", spec, "--delta", "1e-7", count) for count in (1000, 3000, 10000)]
    expect(None not in widths[1:], f"{spec}: not bounded: {widths}")
    for few, more in zip(widths, widths[1:]):
        expect(few is None or more <= few, f"{spec}: {[each and float(each) for each in widths]}")
    expect(widths[-1] < exact(most), f"{spec}: wide: {float(widths[-1])}")
finish()
