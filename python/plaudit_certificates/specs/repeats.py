"""Private selection: the best of a random number of runs of a mechanism. Over a pure mechanism its law is known; over others a
certificate bounds its curve at points, from bounds of the curve of one run. docs/proofs/repeats.md."""
from fractions import Fraction

from ..arithmetic.clock import require, watched
from ..arithmetic.real import exact, exp, expm1, log, maximum, minimum
from ..laws import curves
from ..laws.laws import Finite
from ..laws.text import of_law, of_number
from .curves import has_closed_curve
from .grammar import printed
from .mechanism import Mechanism
from .reader import shown
from .stated_points import OPERATIONS_OF_CURVE, operations_at_point, points_of, promise_points, require_at_most, stated_laws

MOST_TRIALS = 10**9
KINDS = ("poisson", "negative_binomial", "geometric", "logarithmic", "binomial")


def select(arguments):
    base = arguments.typed("mechanism", Mechanism)
    law = base.law(True)
    require(base.adjacency.guarantee, f"select: {shown(base.spec)} has no guarantee")
    kind = arguments.word("repeats", KINDS)
    pure = law.pure if base.alike and type(law) is Finite else None
    numbers, name, log_factor = REPEATS[kind](arguments, pure)
    shown_ones = [(key, x) for key, x in numbers if key != "eta" or kind == "negative_binomial"]
    spec = f"select({base.spec}, repeats={kind}" + "".join(f", {key}={printed(Fraction(x))}" for key, x in shown_ones) + ")"
    taken = {"mechanism", "repeats"} | {key for key, _ in shown_ones}
    require(all(key in taken for key in ("mean", "eta", "gamma", "trials", "probability") if arguments.given(key)),
            f"select: a number that repeats={kind} does not have")
    if pure is None:
        require(kind != "binomial", "select: binomial is for pure mechanisms")
        laws = of_best(arguments, spec, base, dict(numbers))
        return Mechanism(spec, laws, True, base.adjacency, base.one_record, operations=base.operations)
    text = of_law(name, ("epsilon", of_number(pure)), *((key, of_number(Fraction(x))) for key, x in numbers))
    best = curves.best_of(text, lambda: exact(pure) + log_factor())
    return Mechanism(spec, lambda _: best, True, base.adjacency, base.one_record, operations=base.operations)


def of_best(arguments, spec, base, numbers):
    """docs/proofs/repeats.md#bound: H_x <= 1 - phi(1 - h), h the curve of one run at x / C, phi(s) = E s^K. numbers: of the law
    of K, a mean or an eta and a gamma."""
    from ..threshold import curve
    both = [base.law(True)] if base.alike else [base.law(True), base.law(False)]
    require(all(has_closed_curve(law) for law in both), f"select: {shown(base.spec)} has a curve without a closed form")
    stated = arguments.files.curves.stated(spec)
    fields, factor = stated.fields("one_run"), stated.exact("log_factor")
    points = points_of(fields)
    fields.done()
    require(factor >= 0, "curves: log_factor must not be negative")

    def of_one_run(epsilon):
        greatest = exact(0)
        for law in both:
            greatest = maximum(greatest, curve(law, exact(epsilon))[0])
        return greatest
    operations = operations_at_point(base.law(True)) + operations_at_point(base.law(False))
    promise_points(arguments, base.spec, points, operations, of_one_run)
    log_c, of_any = (_poisson_bounds if "mean" in numbers else _negative_binomial_bounds)(**numbers)
    arguments.files.curves.promise(OPERATIONS_OF_CURVE * len(points), lambda: require_at_most(
        lambda: log_c(points), factor, "curves: log_factor is not proven to be so small"))
    return stated_laws(arguments, spec, True, operations,
                       lambda _, epsilon: of_any(maximum(minimum(of_one_run(epsilon - factor), exact(1)), exact(0))), stated)


# (log C from points of the curve of one run, h -> 1 - phi(1 - h)); docs/proofs/repeats.md#factor

def _poisson_bounds(mean):
    def log_c(points):
        at_zero = [delta for epsilon, delta in points if epsilon == 0]
        require(bool(at_zero), "curves: one_run has no point at epsilon = 0")
        return exact(mean * at_zero[0])
    return log_c, lambda h: -expm1(-(h * mean))


def _negative_binomial_bounds(eta, gamma):
    def log_c(points):
        """ROC(a) <= e^epsilon a + delta for each point; the places a at which one line takes over from the next."""
        slopes = [exp(exact(epsilon)) for epsilon, _ in points]
        places = [exact(1)]
        for (_, high), (_, low), s, t in zip(points, points[1:], slopes, slopes[1:]):
            places.append(maximum(minimum((high - low) / (t - s), exact(1)), exact(0)))
        places.append(exact(0))
        most = exact(1)
        for i, (_, delta) in watched(enumerate(points)):
            for a in places[i:i + 2]:
                most = maximum(most, (gamma + (1 - gamma) * (slopes[i] * a + delta)) / (gamma + (1 - gamma) * a))
        return log(most) * (eta + 1)

    def of_any(h):
        least, inside = log(exact(gamma)), log(gamma + (1 - gamma) * h)
        if eta == 0:
            return 1 - inside / least
        return (exp(-(least * eta)) - exp(-(inside * eta))) / expm1(-(least * eta))
    return log_c, of_any


# How often: the numbers of the law of K, its name, and log C of an epsilon-private base (docs/proofs/repeats.md#pure).

def _poisson(arguments, epsilon):
    mean = arguments.positive("mean")

    def log_factor():
        low = exp(exact(-epsilon))
        return mean * (1 - low) / (1 + low)
    return [("mean", mean)], "BestOfPoisson", log_factor


def _negative_binomial(eta):
    def of(arguments, epsilon):
        power, gamma = arguments.number("eta") if eta is None else eta, arguments.positive("gamma")
        require(power > -1 and gamma < 1, "select: eta must exceed -1, gamma be less than 1")

        def log_factor():
            low = exp(exact(-epsilon))
            return (power + 1) * log((1 + gamma * low) / (gamma + low))
        return [("eta", power), ("gamma", gamma)], "BestOfNegativeBinomial", log_factor
    return of


def _binomial(arguments, epsilon):
    trials, p = arguments.count("trials", MOST_TRIALS), arguments.probability("probability")

    def log_factor():
        low = exp(exact(-epsilon))  # (1 - p a)/(1 - p b), a = 1/(1 + e), b = e a
        return (trials - 1) * log((1 + (1 - p) * low) / (low + (1 - p)))
    return [("trials", trials), ("probability", p)], "BestOfBinomial", log_factor


REPEATS = {"poisson": _poisson, "negative_binomial": _negative_binomial(None), "geometric": _negative_binomial(Fraction(1)),
           "logarithmic": _negative_binomial(Fraction(0)), "binomial": _binomial}
