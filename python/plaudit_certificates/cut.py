"""Kind `cut`: a straight contour after rare draws were moved to L = inf; docs/certificates/cut.md."""
from .lines.contour import Product, prove_contour
from .arithmetic.intervals import exact, top


def prove(choices, run, epsilon, budget):
    product = Product(choices, run, budget, True)
    low, high, errors = prove_contour(choices, product, exact(epsilon), budget)
    moved = top(product.moved)
    return low + product.infinite, high + product.infinite + moved, {**errors, "moved": moved}
