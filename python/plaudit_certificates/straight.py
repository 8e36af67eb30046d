"""Kind `straight`: one contour Re z = t with equidistant nodes; docs/certificates/straight.md has the theorems."""
from .intervals import Complex, bits_now, cexp, exact, exp, log_c, pi, require, top
from .transforms import transform_of

ERRORS = ("right_aliasing", "left_aliasing", "truncation", "nodes")
MOST_NODES = 1_000_000


def prove(choices, run, epsilon, budget):
    t_exact, h_exact = choices.dyadic("t"), choices.dyadic("h")
    require(t_exact > 0 and h_exact > 0, "t and h must be positive")
    nodes = choices.integer("nodes", 1, MOST_NODES)
    residues = choices.integer("residues", 1, 2)
    right_order, left_order = choices.dyadic("right_order"), choices.dyadic("left_order")
    require(right_order > t_exact, "the right order must exceed t")
    if residues == 2:
        require(left_order > 1, "the left order must exceed 1")
    else:
        require(0 < left_order <= 1, "the left order must lie in (0, 1]")
    given = choices.each("factors", len(run.factors), len(run.factors))
    budget.hold(4 * nodes)
    budget.spend(60 * nodes * len(run.factors))
    factors = [(transform_of(law, each, budget), count) for (law, count), each in zip(run.factors, given)]
    t, h, epsilon = exact(t_exact), exact(h_exact), exact(epsilon)
    period = 2 * pi() / h

    def log_moment(order, name):
        return sum(count * factor.log_moment(order, name) for factor, count in factors)

    value = _sum(factors, t, h, nodes, epsilon) - 1 / (exp(t * period) - 1)
    log_decay = sum(count * factor.log_beyond(t, (nodes + 1) * h) for factor, count in factors)
    other, u = exact(right_order), exact(left_order)
    right = top(exp(log_c(other) - other * epsilon + log_moment(other, "right")) / (exp((other - t) * period) - 1))  # A_+
    log_left = u * epsilon + log_moment(-u, "left")
    if residues == 2:  # [Theorem 1, A_-]
        value += exp(epsilon) / (exp((t + 1) * period) - 1)
        log_left += log_c(u - 1)
    left = top(exp(log_left) / (exp((t + u) * period) - 1))  # [Theorem 1', B'] or A_-
    truncation = top(exp(log_decay - t * epsilon) / (pi() * h * nodes))  # [Theorem 2]
    low = value - right - truncation - (left if residues == 2 else 0)
    high = value + truncation + (left if residues == 1 else 0)
    return low, high, {"right_aliasing": right, "left_aliasing": left, "truncation": truncation, "nodes": _width(value)}


def _sum(factors, t, h, nodes, epsilon):
    """(h/pi) Re sum'_(k >= 0) e^(-z_k eps) M(z_k) / (z_k (1 + z_k)), the first term halved."""
    logs = [Complex(-(t * epsilon), -(k * h * epsilon)) for k in range(nodes + 1)]
    for factor, count in factors:
        logs = [total + count * x for total, x in zip(logs, factor.log_nodes(t, h, nodes))]
    total = exact(0)
    for k, each in enumerate(logs):
        z = Complex(t, k * h)
        term = (cexp(each) / (z * (z + 1))).real
        total += term / 2 if k == 0 else term
    return total * h / pi()


def _width(value):
    """Half the width of the sum, quadrature and rounding; no two arithmetics round alike, so that it counts as at least
    2^-floor(bits/2) of the sum."""
    least = top(abs(value)) * (exact(1) / 2 ** (bits_now() // 2))
    half = value.delta / 2
    return half if half > least else least
