"""Kind `pinch`: delta between curves with a little Gaussian noise more; docs/certificates/pinch.md has the theorem."""
from .lines.contour import Product, prove_contour
from .arithmetic.intervals import bottom, exact, exp, require, top
from .laws.laws import gaussian_at


def prove(choices, run, epsilon, budget):
    tau = choices.dyadic("tau")
    require(tau > 0, "tau must be positive")
    low, high, errors = _with_gaussian(choices.fields("near"), run, tau, epsilon, budget, "near_")
    if not choices.has("far"):
        return exact(0), high, errors
    ratio = choices.dyadic("ratio")
    require(ratio > 1, "the ratio must exceed 1")
    theta = exact(ratio) * exp(-exact((ratio ** 2 - 1) * tau ** 2) / 8)
    require(theta > 1, "theta must exceed 1")
    _, far, more = _with_gaussian(choices.fields("far"), run, ratio * tau, epsilon, budget, "far_")
    # (theta delta_tau - delta_(ratio tau)) / (theta - 1) <= delta, in another form: theta - 1 enters once
    low = bottom(low) - top(top(far) - bottom(low)) / (theta - 1)
    return low, high, {**errors, **more}


def _with_gaussian(choices, run, rate, epsilon, budget, prefix):
    """(low, high, errors) of the composition with one more Gaussian mechanism, `rate` its sensitivity over sigma."""
    product = Product(choices, run, budget, False)
    product.add(gaussian_at(rate), budget)
    low, high, errors = prove_contour(choices, product, exact(epsilon), budget)
    choices.done()
    return low + product.infinite, high + product.infinite, {prefix + name: size for name, size in errors.items()}
