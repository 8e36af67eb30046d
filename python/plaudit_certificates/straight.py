"""Kind `straight`: one contour Re z = t with equidistant nodes; docs/certificates/straight.md has the theorems."""
from .lines.contour import Product, prove_contour
from .arithmetic.intervals import exact


def prove(choices, run, epsilon, budget):
    product = Product(choices, run, budget, False)
    low, high, errors = prove_contour(choices, product, exact(epsilon), budget)
    return low + product.infinite, high + product.infinite, errors
