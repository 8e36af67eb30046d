"""Random allocation by two routes: one epoch by its distribution functions and by the contour of its moments,
also left of both poles, and few epochs of many steps or much noise, which only the latter reaches."""
from _program import exact, expect, finish, run


def band(spec, *arguments):
    report = run("epsilon", spec, "--delta", "1e-6", "--digits", "10", "--json", *arguments).json()
    return exact(report["lower"]), exact(report["upper"]), report


for spec in ("random_allocation(gaussian(1), 1000)", "random_allocation(gaussian(2), 10000)",
             "random_allocation(gaussian(5), 100)", "random_allocation(gaussian(10), 1000)"):
    for direction in ("remove", "add"):
        below, above, one = band(spec, "--direction", direction, "--accountant", "closed_form")
        lower, upper, other = band(spec, "--direction", direction, "--accountant", "contour")
        expect(one["reached"] and other["reached"], f"{spec}: {one}\n{other}")
        expect(below <= upper and lower <= above, f"{spec} {direction}: {below} {above}, {lower} {upper}")

least = exact("0")
for epochs in (3, 10, 30):
    lower, upper, report = band(f"random_allocation(gaussian(10), 100)^{epochs}")
    expect(report["reached"], str(report))
    expect(least < lower, f"{epochs} epochs cost more than fewer: {report}")
    least = upper
# Moments bound what the contour says.
lower, upper, report = band("random_allocation(gaussian(2), 10000)^3", "--accountant", "moments")
low, high, _ = band("random_allocation(gaussian(2), 10000)^3")
expect(lower <= high and low <= upper, f"{lower} {upper}, {low} {high}")

finish()
