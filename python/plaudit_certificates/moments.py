"""Kind `moments`: one bound of delta by one real moment; docs/certificates/moments.md."""
from .lines.contour import Product
from .arithmetic.intervals import exact, exp, log_c, require, top


def prove(choices, run, epsilon, budget):
    exact_order = choices.dyadic("order")
    require(exact_order != 0, "the order 0 proves nothing")
    product = Product(choices, run, budget, True)
    order, epsilon, moved = exact(exact_order), exact(epsilon), top(product.moved)
    size = exp(product.log_moment(order, "moment") - order * epsilon)
    low, high = exact(0), exact(1)
    if exact_order > 0:                                # [Lemma 1, first part]
        size = top(size * exp(log_c(order)))
        high = product.infinite + moved + size
    elif exact_order <= -1:                            # [Lemma 1, second part]
        size = top(size * exp(log_c(-order - 1)))
        without = 1 - product.q_mass * exp(epsilon)
        low, high = without - moved, without + size
    else:                                              # [Theorem 1', step 2]
        size = top(size)
        low = 1 - size - moved
    return low, high, {"moment": size, "moved": moved}
