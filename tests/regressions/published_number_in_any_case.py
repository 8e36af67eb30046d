#!/usr/bin/env python3
"""fourier(mode=published) gave [0, 1] and no number for pairs of many components after a minute; for
atoms its Newton iteration made 1000 steps to and fro (1.8058 where epsilon is below 1.7929); products of
discrete and continuous laws were refused. And the grids of fourier placed the greatest atom of a law
anywhere between two points, so that the law below lost up to a mesh in each step: [8.064, 8.164] where
prv had [8.160, 8.179]. Samples that are far too coarse gave a number of 1e304 beside a band of another size, or nan,
without a word."""
import json
import os
import re
import subprocess


def ask(question, spec, option, value, accountant):
    command = [os.environ["PLAUDIT_PROGRAM"], question, spec, option, value, "--json",
               "--accountant", accountant]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode in (0, 4), run.stderr
    answer = json.loads(run.stdout)
    number = re.match(r"published: ([0-9.e+-]*[0-9])", answer["method"])
    return answer, number and float(number.group(1))


def check(question, spec, option, value, number, within):
    answer, found = ask(question, spec, option, value, "fourier(mode=published, points=200000)")
    assert found is not None and abs(found / number - 1) < within, (spec, answer)
    lower, upper = float(answer["lower"]), float(answer["upper"])
    assert upper - lower < 0.01 * upper and abs(number / upper - 1) < 0.01, (spec, answer)


MANY = "pair(with_replacement, sigma=2, batch=50, population=5000)^1000"
check("delta", MANY, "--epsilon", "1", 0.00011611033, 1e-4)
check("delta", "group(poisson(gaussian(2), 0.01), 3)^1000", "--epsilon", "1", 0.0079571807, 1e-4)
check("delta", "discrete_gaussian(10)^20 * poisson(gaussian(2), 0.01)^100", "--epsilon", "1",
      0.0033564335, 1e-4)
check("epsilon", "approximate(0.1, 1e-8)^20", "--delta", "1e-6", 1.79283, 1e-3)

# Samples too coarse for the law: a band all the same, and words why the number is not in it.
for question, spec, option, value in (("epsilon", "gaussian(sigma=1e6)", "--delta", "1e-300"),
                                      ("epsilon", "gaussian(sigma=1e6)^1000000000", "--delta", "1e-300"),
                                      ("epsilon", "gaussian(1)", "--delta", "1e-5"),
                                      ("delta", "gaussian(1)", "--epsilon", "0.5")):
    answer, _ = ask(question, spec, option, value, "fourier(mode=published, points=2)")
    lower, upper = float(answer["lower"]), float(answer["upper"])
    assert 0 < lower and upper - lower < 1e-6 * upper, (spec, answer)
    assert "nan" not in answer["method"], answer
    assert re.search("more than 1: n or L is too small|did not stop|too large|beyond", answer["method"]), answer

answer, _ = ask("epsilon", "laplace(1000)^1000000", "--delta", "1e-15", "fourier")
assert float(answer["upper"]) - float(answer["lower"]) < 1e-3, answer
print("ok")
