"""Line charts as SVG, for the scripts beside this file: panels with linear or logarithmic axes."""
from math import ceil, floor, log10

WIDTH, HEIGHT, LEFT, TOP = 420, 300, 62, 44
COLORS = ["#0b6e4f", "#b23a48", "#1d4e89", "#e08e00", "#6a4c93", "#555555", "#00a6a6", "#9b5d2e"]


def log_ticks(low, high):
    powers = range(floor(low), ceil(high) + 1)
    if high - low > 2.5:
        step = max(1, ceil((high - low) / 8))
        return [p for p in powers if low <= p <= high and p % step == 0]
    return [x for p in powers for x in (p, p + log10(2), p + log10(5)) if low <= x <= high]


def linear_ticks(low, high):
    raw = (high - low) / 6
    unit = 10 ** floor(log10(raw))
    step = min((m * unit for m in (1, 2, 5, 10)), key=lambda s: abs(s - raw))
    return [k * step for k in range(ceil(low / step), floor(high / step) + 1)]


def panel(x0, title, x_label, y_label, series, log_x, log_y, limits):
    """`series`: (label, points, color, dash); points are pairs of numbers."""
    def scale(value, log):
        return log10(value) if log else value

    shown = [(label, [(float(x), float(y)) for x, y in points
                      if not (log_x and float(x) <= 0) and not (log_y and float(y) <= 0)
                      and float(y) != float("inf")], color, dash)
             for label, points, color, dash in series]
    xs = [scale(x, log_x) for _, points, _, _ in shown for x, _ in points]
    ys = [scale(y, log_y) for _, points, _, _ in shown for _, y in points]
    low_x, high_x = min(xs), max(xs)
    low_y, high_y = min(ys), max(ys)
    if limits:
        low_y, high_y = (scale(limit, log_y) for limit in limits)
    elif not log_y:
        low_y = min(0, low_y)
    margin = 0.03 * (high_y - low_y)
    low_y, high_y = low_y - (margin if log_y else 0), high_y + margin
    width = WIDTH - 90

    def at_x(x):
        return x0 + (x - low_x) / (high_x - low_x) * width

    def at_y(y):
        return TOP + (high_y - y) / (high_y - low_y) * HEIGHT

    name = f"clip{int(x0)}"
    yield (f'<clipPath id="{name}"><rect x="{x0}" y="{TOP}" width="{width}" height="{HEIGHT}"/>'
           f'</clipPath><rect x="{x0}" y="{TOP}" width="{width}" height="{HEIGHT}" fill="none" '
           f'stroke="#999"/><text x="{x0 + width / 2:.1f}" y="{TOP - 8}" text-anchor="middle">'
           f'{title}</text>')
    for tick in (log_ticks if log_x else linear_ticks)(low_x, high_x):
        value = 10**tick if log_x else tick
        yield (f'<line x1="{at_x(tick):.1f}" x2="{at_x(tick):.1f}" y1="{TOP}" y2="{TOP + HEIGHT}" '
               f'stroke="#eee"/><text x="{at_x(tick):.1f}" y="{TOP + HEIGHT + 15}" '
               f'text-anchor="middle">{value:.4g}</text>')
    for tick in (log_ticks if log_y else linear_ticks)(low_y, high_y):
        value = 10**tick if log_y else tick
        yield (f'<line x1="{x0}" x2="{x0 + width}" y1="{at_y(tick):.1f}" y2="{at_y(tick):.1f}" '
               f'stroke="#eee"/><text x="{x0 - 4}" y="{at_y(tick) + 4:.1f}" text-anchor="end">'
               f'{value:.4g}</text>')
    for _, points, color, dash in shown:
        path = " ".join(f"{at_x(scale(x, log_x)):.1f},{at_y(scale(y, log_y)):.1f}"
                        for x, y in sorted(points))
        yield (f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="1.6" '
               f'stroke-dasharray="{dash}" clip-path="url(#{name})"/>')
    yield (f'<text x="{x0 + width / 2:.1f}" y="{TOP + HEIGHT + 32}" text-anchor="middle">'
           f'{x_label}</text><text x="{x0 - 46}" y="{TOP + HEIGHT / 2:.1f}" text-anchor="middle" '
           f'transform="rotate(-90 {x0 - 46} {TOP + HEIGHT / 2:.1f})">{y_label}</text>')


def write(path, title, panels, x_label, y_label, log_x=False, log_y=False, limits=None):
    """`panels`: (title, series) with the same labels in each, or all in the first; a series is
    (label, points) or (label, points, dash)."""
    labels = []
    body = []
    for i, (name, series) in enumerate(panels):
        full = []
        for label, points, *dash in series:
            if label not in [known for known, _ in labels]:
                labels.append((label, dash[0] if dash else ""))
            color = COLORS[[known for known, _ in labels].index(label) % len(COLORS)]
            full.append((label, points, color, dash[0] if dash else ""))
        body += panel(LEFT + i * WIDTH, name, x_label, y_label, full, log_x, log_y, limits)
    per_row = max(1, len(panels) * WIDTH // 255)
    rows = ceil(len(labels) / per_row)
    width, height = len(panels) * WIDTH + 20, TOP + HEIGHT + 52 + 18 * rows
    for i, (label, dash) in enumerate(labels):
        x, y = LEFT - 40 + 265 * (i % per_row), TOP + HEIGHT + 52 + 18 * (i // per_row)
        body.append(f'<line x1="{x}" x2="{x + 25}" y1="{y}" y2="{y}" stroke="'
                    f'{COLORS[i % len(COLORS)]}" stroke-width="1.6" stroke-dasharray="{dash}"/>'
                    f'<text x="{x + 30}" y="{y + 4}">{label}</text>')
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(
            [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
             f'font-family="sans-serif" font-size="11"><rect width="{width}" height="{height}" '
             f'fill="white"/>', f'<text x="{LEFT - 40}" y="18" font-size="13">{title}</text>']
            + body + ["</svg>"]) + "\n")
