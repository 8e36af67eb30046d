#!/usr/bin/env python3
"""Prints delta(0.8) of nineteen steps of poisson(gaussian(12.55), 0.009559), removed: 5.3747e-809.

One draw is huge (y near 61), the eighteen others are convolved: their losses on a grid by connecting
the dots, tilted by e^(1390 l) so that doubles hold what counts, their 18th power by one FFT. The mesh
is halved twice; the error falls with its square, and what is left after extrapolation is printed.
Two huge draws are below e^(-2450). Nothing of this is shared with the program. Needs numpy, scipy.
"""

import mpmath
import numpy as np
from scipy.special import erfcx, ndtr

SIGMA, RATE, OTHERS, EPSILON, TILT = 12.55, 0.009559, 18, 0.8, 1390.0


def mills(x):
    return np.sqrt(np.pi / 2) * erfcx(x / np.sqrt(2))


def place(loss):
    """The draw at which one step has this loss; -60 where no draw has it."""
    excess = np.exp(loss) - 1 + RATE
    return np.where(excess > 0, SIGMA * np.log(np.maximum(excess, 1e-300) / RATE) + 1 / (2 * SIGMA), -60.0)


def log_one_step(epsilon):
    """log(P(L > epsilon) - e^epsilon Q(L > epsilon)) of one step."""
    y = place(epsilon) - 1 / SIGMA
    return np.log(RATE) - y**2 / 2 - np.log(2 * np.pi) / 2 + np.log(mills(y) - mills(y + 1 / SIGMA))


def log_delta(mesh):
    losses = np.arange(round(-0.02 / mesh), round(0.06 / mesh) + 1) * mesh
    draws = place(losses)

    def cells(centre):
        a, b = draws[:-1] - centre, draws[1:] - centre
        return np.where(a > 0, ndtr(-a) - ndtr(-b), ndtr(b) - ndtr(a))

    q = cells(0.0)
    p = (1 - RATE) * q + RATE * cells(1 / SIGMA)
    left, right = np.exp(-losses[:-1]), np.exp(-losses[1:])
    below = np.clip((q - p * right) / (left - right), 0, p)
    masses = np.zeros(len(losses))
    masses[:-1] += below
    masses[1:] += p - below
    tilted = masses * np.exp(TILT * losses)
    total = tilted.sum()
    length = 1 << int(np.ceil(np.log2(OTHERS * len(losses))))
    power = np.fft.irfft(np.fft.rfft(tilted / total, length) ** OTHERS, length)
    sums = OTHERS * losses[0] + np.arange(length) * mesh
    kept = power > 1e-14 * power.max()
    logs = log_one_step(EPSILON - sums[kept]) - TILT * sums[kept]
    top = logs.max()
    return np.log(OTHERS + 1) + OTHERS * np.log(total) + top + np.log((power[kept] * np.exp(logs - top)).sum())


coarse, middle, fine = (log_delta(mesh) for mesh in (8e-6, 4e-6, 2e-6))
first, second = middle + (middle - coarse) / 3, fine + (fine - middle) / 3
print(mpmath.nstr(mpmath.exp(mpmath.mpf(second)), 11), "relative difference of extrapolations", abs(second - first))
