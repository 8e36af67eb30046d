# plaudit_check.py took 134 s, with a limit of 60 s, on an honest certificate of 725152 steps: factorials of that size were
# formed as whole numbers, in single calls that no alarm ends. Within a process, where there is no alarm, loops over nodes,
# points and atoms did not look at the clock at all. Now whoever makes an interval looks at it.
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _certificates import MODULE, expect_accepted, trivial  # noqa: E402
from _program import expect, finish, json  # noqa: E402

ZERO = {"count": 0}


def certificate(spec, kind, choices, bits=128, epsilon="1"):
    """A claim of nothing with a statement of nothing, which has to be computed all the same."""
    statement = {"direction": "remove", "epsilon": epsilon, "at_least": "-1", "kind": kind, "bits": bits,
                 "choices": choices}
    return trivial(spec, statements=[statement], argument=epsilon, adjacency="add_remove" if "poisson" in spec else "as_stated")


def share(count, half_width):
    low, high = count // 2 - half_width, count // 2 + half_width
    return {"count": count, "lows": [low, low], "highs": [high, high]}


def atoms(steps, half_width):
    return certificate(f"discrete_laplace(scale=7.56)^{steps}", "atoms",
                       {"outer": [ZERO], "inner": [share(steps, half_width)]})


start = time.process_time()
expect_accepted("725152 steps", atoms(725152, 10), processes=False)
expect(time.process_time() - start < 20, f"725152 steps took {time.process_time() - start:.1f} s")

LATTICE = {"tilt": [1, 0], "right_order": [2, 0], "left_order": [1, 0]}
CONTOUR = {"t": [1, 0], "h": [1, -6], "nodes": 100_000, "residues": 2, "right_order": [2, 0], "left_order": [2, 0]}
PERIOD = 1 << 21
for what, heavy in [
        ("many points", atoms(1_000_000, 130_000)),
        ("outcomes of discrete noise", certificate("poisson(discrete_gaussian(sigma=10000), rate=0.1)", "atoms", {
            "outer": [ZERO], "inner": [{"count": 1, "first": -30_000, "last": 30_000, "lows": [0] * 60_001,
                                        "highs": [1] * 60_001}]}, 1000)),
        ("nodes of a lattice", certificate("pure(epsilon=0.1)^50", "lattice", {
            **LATTICE, "period": PERIOD, "ends": [PERIOD // 2], "summed": [1]})),
        ("segments of a lattice", certificate("pure(epsilon=0.1)^50", "lattice", {
            **LATTICE, "period": PERIOD, "ends": [*range(0, 99_999), PERIOD // 2], "summed": [0] * 100_000})),
        ("rows of Laplace noise", certificate("laplace(scale=5)^3000", "laplace", {
            "draws": 1000, "first": 0, "order": [1, 0], "window_order": [1, 0], "part": [1, -3]})),
        ("powers of Laplace noise", certificate("laplace(scale=1e-9)", "laplace", {
            "draws": 1, "first": 0, "order": [1, 0], "window_order": [1, 0], "part": [1, -3]})),
        ("whole numbers of Laplace noise", certificate("laplace(scale=100)^900000", "laplace", {
            "draws": 1, "first": 450_000, "order": [1, 0], "window_order": [1, 0], "part": [1, -3]}, epsilon="-10")),
        ("nodes of a contour", certificate("gaussian(sigma=1)^2", "straight", {**CONTOUR, "factors": [{}]}, 500)),
        ("points of a rule", certificate("poisson(gaussian(sigma=1), rate=0.1)^2", "moments", {"order": [1, 0], "factors": [{
            "moment": {"eta": [0, 0], "v": [1, 0], "d": [1, -14], "first": -100_000, "last": 100_000}}]})),
        ("powers of many bits", certificate("pure(epsilon=0.1)^2", "straight", {**CONTOUR, "nodes": 20_000, "factors": [{}]}, 20_000)),
        ("a tail of many bits", certificate("gaussian(sigma=1)", "threshold", {}, 20_000, "190")),
        ("terms of a tail", certificate("discrete_gaussian(sigma=100000)", "threshold", {}, 256, "0"))]:
    start = time.process_time()
    reason = MODULE.verdict(json.dumps(heavy), 1.0)
    seconds = time.process_time() - start
    print(f"{what}: {seconds:.1f} s, {reason}")
    expect(seconds < 3.0, f"{what}: {seconds:.1f} s with a limit of 1 s: {reason}")
    expect(reason is None or not reason.startswith("malformed"), f"{what}: {reason}")
finish()
