# Both checkers accepted laws that no pair of probabilities has: they summed the masses of Q over the lower ends of the
# intervals of P, which need not sum to 1, and compared with 1 at 128 and 256 bits. For the first law here they accepted
# epsilon(1e-5) <= 0.01 (every law that agrees with the intervals as far as one can has 3.99998); for the second one,
# delta <= -1.136. Now the least mass of Q over all P with the sum 1 decides, exactly, in the program and both checkers.
import os
import random
import sys
from fractions import Fraction

sys.path.insert(0, os.path.dirname(__file__))
from _certificate import *
from _program import expect, finish, run

import mpmath


def certificate_of(both, **changes):
    """That delta lies in [0, 1]: accepted wherever the law is."""
    spec, files = changes.get("spec", 'pld(file="a")'), {"a": {"adjacency": "add/remove", **both}}
    return {"plaudit_certificate": 3, "spec": spec, "files": files, "laws": laws_of(spec, files), "adjacency": "add_remove", "group_size": 1, "guarantee": True, "quantity": "delta", "argument": "1",
            "lower": "0", "upper": "1", "statements": [], **changes}


def straight(epsilon, at_most, choices):
    return {"direction": "remove", "epsilon": epsilon, "at_most": at_most, "kind": "straight", "bits": 64,
            "choices": {**choices, "left_order": [2, 0], "factors": [{}], "residues": 2}}


def accepted_by_program(both):
    """Does the program read the file? It refuses with status 2."""
    path = os.path.join(FOLDER.name, "law.json")
    with open(path, "w", encoding="ascii") as file:
        json.dump({"adjacency": "add/remove", **both}, file)
    result = run("delta", f'pld(file="{path}")', "--epsilon", "1", "--timeout", "2")
    expect(result.status in (0, 2, 4), f"status {result.status}: {result.err}")
    expect(result.status != 2 or "must leave Q" in result.err, f"refused for another reason: {result.err}")
    return result.status != 2


def everywhere(both, possible, what):
    (expect_accepted if possible else expect_rejected)(json.dumps(certificate_of(both)), what)
    expect(accepted_by_program(both) == possible, f"the program: {what}")


first = {"losses": ["-14.8", "4.0"], "masses": [["370345167/1000000000000000", "0.52"], "0.48"]}
claim = certificate_of({"both": first}, quantity="epsilon", argument="0.00001", upper="0.01", statements=[
    straight("0.01", "0.00001", {"t": [6176025562414958, -56], "h": [7193049158401446, -50], "nodes": 20,
                                 "right_order": [7720031953018698, -54]})])
expect_rejected(json.dumps(claim), "a false epsilon")
second = {"losses": ["-5.99", "0.19"], "masses": [["0.001692", "0.608"], "0.392"]}
claim = certificate_of({"both": second}, quantity="epsilon", argument="0", upper="1/10", statements=[
    straight("1/10", "-1136019/1000000", {"t": [7277437744624841, -54], "h": [5428151299322919, -49], "nodes": 50,
                                          "right_order": [7277437744624841, -53]})])
expect_rejected(json.dumps(claim), "a negative delta")
fine = {"losses": ["0"], "masses": ["1"]}
for law in (first, second):
    everywhere({"both": law}, False, "both")
    everywhere({"remove": law, "add": fine}, False, "remove alone")
    everywhere({"remove": fine, "add": law}, False, "add alone")
    for factor in ("^1000000000000", ""):
        spec = f'poisson(pld(file="a"), rate=0.1){factor}'
        expect_rejected(json.dumps(certificate_of({"both": law}, spec=spec)), "a sample" + factor)

# Q of 1 + 1e-90 is as impossible as any, and Q of 1 - 1e-90, or of exactly 1, is possible.
mpmath.mp.dps = 700


def digits(x, places, up):
    """The decimal next to x."""
    steps = int(mpmath.ceil(x * mpmath.mpf(10) ** places) if up else mpmath.floor(x * mpmath.mpf(10) ** places))
    return f"{steps}e-{places}"


for places in (17, 45, 90, 300, 600):
    for up in (False, True):
        one = {"losses": [-1], "masses": [digits(mpmath.exp(-1), places, up)], "infinite": ["0", "1"]}
        everywhere({"both": one}, not up, f"1/e with {places} places, {up}")
everywhere({"both": {"losses": ["-1", "0", "7"], "masses": ["0", "1", "0"]}}, True, "exactly 1")
everywhere({"both": {"losses": ["-1e900", "0"], "masses": ["1e-900", ["0", "1"]]}}, False, "a loss far below 0")
everywhere({"both": {"losses": ["0", "1e900"], "masses": ["1/2", "1/2"]}}, True, "a loss far above 0")

# Random laws with a mass of Q that is made to be next to 1, against 700 digits.
rng = random.Random(4)


def least_q(masses, infinite):
    """The least mass of Q: from infinity down, as much as there is. None where P cannot have the sum 1."""
    rest = 1 - infinite[0] - sum(low for _, low, _ in masses)
    if rest < 0:
        return None
    rest -= min(rest, infinite[1] - infinite[0])
    q = mpmath.mpf(0)
    for loss, low, high in sorted(masses, reverse=True):
        p = low + min(rest, high - low)
        rest -= p - low
        q += mpmath.mpf(p.numerator) / p.denominator * mpmath.exp(-mpmath.mpf(loss.numerator) / loss.denominator)
    return q if rest == 0 else None


def raised(masses, i, by):
    """The lower end of one mass, and where need be the upper one."""
    loss, low, high = masses[i]
    return masses[:i] + [(loss, low + by, max(high, low + by))] + masses[i + 1:]


def beside_one():
    """(masses, infinite, Q - 1) with Q next to 1; None where the attempt fails."""
    masses = []
    for loss in sorted(rng.sample(range(-30, 60), rng.randint(2, 6))):
        low = Fraction(rng.randint(1, 300), 1000)
        masses.append((Fraction(loss, 10), low, min(low + Fraction(rng.choice((0, rng.randint(0, 900))), 1000), Fraction(1))))
    infinite = (Fraction(rng.randint(0, 50), 1000), Fraction(rng.randint(50, 150), 1000))
    i, places, step = rng.randrange(len(masses)), rng.choice((20, 60, 100)), Fraction(1, 10 ** 120)
    q, beyond = least_q(masses, infinite), least_q(raised(masses, i, step), infinite)
    if q is None or beyond is None or beyond == q:
        return None
    # Q is linear in one lower end as far as the same place takes what is left
    change = (1 - q) / ((beyond - q) * 10 ** 120)
    change = Fraction(int(mpmath.floor(change * 10 ** places)) + rng.randint(0, 1), 10 ** places)
    masses = raised(masses, i, change)
    q = least_q(masses, infinite)
    if masses[i][1] < 0 or masses[i][2] > 1 or q is None or abs(q - 1) > mpmath.mpf(10) ** (4 - places):
        return None
    return masses, infinite, q - 1


tried = {True: 0, False: 0}
while min(tried.values()) < 8:
    found = beside_one()
    if found is None:
        continue
    masses, infinite, excess = found
    tried[excess < 0] += 1
    law = {"losses": [str(loss) for loss, _, _ in masses], "masses": [[str(low), str(high)] for _, low, high in masses],
           "infinite": [str(end) for end in infinite]}
    everywhere({"both": law}, bool(excess < 0), f"{law}: Q - 1 = {mpmath.nstr(excess, 5)}")
finish()
