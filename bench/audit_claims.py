#!/usr/bin/env python3
"""Writes N random claims on subsampled Gaussians as JSON: python3 audit_claims.py [N] [SEED].

The budget: `plaudit audit` decides 1000 of them within 60 s on 2 cores. Every claim is on a
composition of its own, so nothing is shared between them; the claimed epsilons are drawn around a
crude guess, so that about half of them are refuted.
"""

import json
import math
import random
import sys


def claim(number):
    sigma = round(math.exp(random.uniform(math.log(0.5), math.log(5))), 3)
    rate = float(f"{math.exp(random.uniform(math.log(1e-4), math.log(0.2))):.3g}")
    steps = round(math.exp(random.uniform(0, math.log(1e6))))
    power = random.randint(4, 20)
    # The central limit theorem: mu of the limit, then epsilon of that Gaussian.
    spread = rate * math.sqrt(steps * math.expm1(min(1 / sigma**2, 50)))
    guess = spread * spread / 2 + spread * math.sqrt(2 * power * math.log(10))
    epsilon = guess * math.exp(random.uniform(-1, 1))
    return {"id": str(number), "spec": f"poisson(gaussian(sigma={sigma}), rate={rate})^{steps}",
            "delta": f"1e-{power}", "epsilon": f"{epsilon:.6g}",
            "kind": random.choice(["upper", "upper", "lower"])}


count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
random.seed(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
json.dump([claim(i + 1) for i in range(count)], sys.stdout, indent=1)
print()
