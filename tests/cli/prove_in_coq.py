"""Coq accepts what prove writes, of random runs over all laws that it covers. Files by hand are refused that tell it to check
less, declare axioms, or state a theorem about definitions of their own; and so are forgeries: an epsilon less (or greater,
in a lower end) by 1e-3, a lower weight of a cell or a greater one of a class, a cell or a class left out, a window
that keeps less, the wrong direction, another count, another delta, another epsilon on data sets, an exp(epsilon) that is
greater (or less). Skipped where there is no coqc, unless PLAUDIT_KERNEL names a folder of the library: then it is wanted.
Otherwise the library is compiled into a folder of the build.

    prove_in_coq.py [RUNS [FORGERIES [SEED]]]     RUNS random runs at 2 digits, FORGERIES of small ones

Two small runs and two forgeries where nothing is said; with PLAUDIT_SLOW=1 a product, two random runs and 16 forgeries too.
"""
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

from _program import exact, expect, finish, run

WANTED = "PLAUDIT_KERNEL" in os.environ


def skip(why):
    print(f"skipped: {why}")
    sys.exit(1 if WANTED else 77)


if shutil.which("coqc") is None or shutil.which("coq_makefile") is None:
    skip("there is no coqc")

ROOT = os.environ["PLAUDIT_SOURCE_DIR"]
sys.path.insert(0, os.path.join(ROOT, "verification", "kernel"))
import prove  # noqa: E402
KERNEL = os.environ.get("PLAUDIT_KERNEL", os.path.join(os.getcwd(), "kernel"))
SLOW = os.environ.get("PLAUDIT_SLOW", "0") != "0"
RUNS, FORGERIES, SEED = [int(x) for x in (sys.argv[1:] + ["2" if SLOW else "0", "16" if SLOW else "2", "1"][len(sys.argv) - 1:])]


def coq(*paths):
    result = subprocess.run([os.path.join(ROOT, "dev"), "prove", *paths], capture_output=True, text=True,
                            env={**os.environ, "PLAUDIT_KERNEL": KERNEL, "PLAUDIT_NO_INSTALL": "1", "PLAUDIT_JOBS": "2"})
    if "missing packages" in result.stderr:
        skip(result.stderr)
    return result


def written(spec, path, *options):
    done = run("prove", spec, "--output", path, "--json", *options)
    expect(done.status in (0, 4), spec + ": " + done.err)  # 4: not as narrow as was asked
    with open(path, encoding="ascii") as file:
        return done.json(), file.read()


def random_law(pick):
    sigma = pick.choice(["0.7", "1", "1.3", "2", "5"])
    rate = pick.choice(["0.01", "1/50", "0.1", "0.3"])
    law = pick.choice(["gaussian({s})", "poisson(gaussian({s}), {r})", "group(poisson(gaussian({s}), {r}), 2)", "laplace({b})",
                       "poisson(laplace({b}), {r})", "discrete_laplace({b})", "poisson(discrete_laplace({b}), {r})",
                       "discrete_gaussian({b})", "poisson(discrete_gaussian({b}), {r})", "pure({e})", "approximate({e}, 1e-9)",
                       "permute_and_flip({e})", "tree(steps=4, sigma={s})"])
    return law.format(s=sigma, r=rate, b=pick.choice(["1", "2", "3.5", "10"]), e=pick.choice(["0.05", "0.1", "0.5", "1"]))


def random_run(pick):
    steps = pick.choice([[1], [2], [5], [20], [100], [3, 4], [10, 2]])
    laws = [random_law(pick) for _ in steps]
    if any("group" in law for law in laws):  # a group's adjacency is its own
        laws, steps = laws[:1], steps[:1]
    return " * ".join(f"{law}^{n}" for law, n in zip(laws, steps)), pick.choice(["1e-3", "1e-5", "1e-7"])


def accepted(spec, delta, folder, *options):
    """Of a run: what Coq accepts lies on the safe side of the certified end."""
    path = os.path.join(folder, "run.v")
    begin = time.monotonic()
    report, _ = written(spec, path, "--delta", delta, *options)
    said = coq(path)
    expect(said.returncode == 0 and "accepted by Coq" in said.stdout, f"{spec} {delta}: {said.stdout}{said.stderr}")
    for one in report["theorems"]:
        expect(f": {'~ ' if one['end'] == 'lower' else ''}private" in re.sub(r"\s+", " ", said.stdout), said.stdout)
        safe = exact(one["epsilon"]) - exact(one["certified"])
        slack = abs(exact(one["certified"])) / 10**5  # where the theorem is nearer to the exact number than that band
        expect(safe > -slack if one["end"] == "upper" else safe < slack, f"{spec}: {one}")
    far = max(abs(exact(one["epsilon"]) / exact(one["certified"]) - 1) for one in report["theorems"])
    reached = all(one["reached"] for one in report["theorems"])
    print(f"{spec} at {delta}: {len(report['theorems'])} theorems, off by {float(far):.1e}"
          f"{'' if reached else ' (not the digits asked for)'}, {time.monotonic() - begin:.0f} s", flush=True)


def changed(text, pattern, change, pick, flags=0):
    """One of the places that match, changed."""
    places = list(re.finditer(pattern, text, flags))
    if not places:
        return None
    place = pick.choice(places)
    return text[:place.start()] + change(place) + text[place.end():]


def another_epsilon(text, pick, upper):
    """In all places, by 1e-3 to the other side."""
    top, bottom = re.search(r"\(exp \((\d+) / (\d+)\)\)", text).groups()
    off = -int(bottom) if upper else int(bottom)
    return text.replace(f"(exp ({top} / {bottom}))", f"(exp ({1000 * int(top) + off} / {1000 * int(bottom)}))")


def greatest(text, pattern, change):
    """The greatest of the numbers that match, changed."""
    place = max(re.finditer(pattern, text), key=lambda m: int(m[2]))
    return text[:place.start()] + change(place) + text[place.end():]


FORGERIES_OF = [
    ("epsilon", another_epsilon),
    ("weight", lambda text, pick, upper: greatest(text, r"(CellChoice \(Z\.to_nat \d+\) \d+ )(\d+)",
                                                  lambda m: f"{m[1]}{int(m[2]) * 999 // 1000}") if upper else
     greatest(text, r"(ClassChoice \(Z\.to_nat \d+\) \d+ \(?-?\d+\)? )(\d+)", lambda m: f"{m[1]}{int(m[2]) * 1001 // 1000}")),
    ("spread", lambda text, pick, upper: greatest(text, r"(\(-?\d+, )(\d+)", lambda m: f"{m[1]}{int(m[2]) * 999 // 1000}")
     if upper else greatest(text, r"(ClassChoice \(Z\.to_nat \d+\) \d+ \(?-?\d+\)? )(\d+)", lambda m: f"{m[1]}{int(m[2]) * 2}")),
    ("left out", lambda text, pick, upper: changed(text, r"(Cell|Class)Choice [^;]*?(\[[^]]*\] \[[^]]*\])?; ", lambda m: "", pick)
     if upper else None),
    ("direction", lambda text, pick, upper: changed(
        text, r"step := \((swapped )?\((sampled_\w+ [^\n]*?)\)\)\.|step := \((sampled_\w+ [^\n]*?)\)\.",
        lambda m: f"step := ({m[2]})." if m[2] else f"step := (swapped ({m[3]})).", pick)),
    ("count", lambda text, pick, upper: re.sub(r"(\(sequence [^)]*?\[Z\.to_nat )(\d+)", lambda m: f"{m[1]}{int(m[2]) + 1}", text, count=1)),
    ("data sets", lambda text, pick, upper: re.sub(
        r"(on_data_sets : .*?\(exp \()(\d+)", lambda m: f"{m[1]}{int(m[2]) + (-1 if upper else 1)}", text, count=1,
        flags=re.DOTALL)),
    ("delta", lambda text, pick, upper: re.sub(r"(the_claim : claim := Claim .*? )(\d+)\.", lambda m: f"{m[1]}{int(m[2]) * 2 if upper else int(m[2]) // 2}.",
                                               text, count=1)),
    ("exp", lambda text, pick, upper: re.sub(r"( (?:Up|Down) )(\d+)\);", lambda m: f"{m[1]}{int(m[2]) * (1001 if upper else 999) // 1000});",
                                             text, count=1)),
    ("outside", lambda text, pick, upper: re.sub(r"(_source : source := gaussian_source .*) (\d+)\.", r"\1 0.", text, count=1)
     if upper and "gaussian_source" in text else None),
]
SMALL = ["pure(0.2)^4", "approximate(0.2, 1e-6)^3", "laplace(2)^3", "poisson(laplace(2), 0.2)^3", "discrete_laplace(2)^3",
         "poisson(discrete_gaussian(2), 0.2)^2", "poisson(gaussian(2), 0.1)^2", "gaussian(2)^2", "pure(0.2) * laplace(2)"]
# A run's number, and 9 more for its lower end: an upper end of Gaussian noise and a lower end of Laplace noise come first.
ORDER = [6, 11, *(i for i in range(18) if i not in (6, 11))]


def refused(pick, number, folder):
    spec, upper = SMALL[number % len(SMALL)], number // len(SMALL) % 2 == 0
    direction = pick.choice(["remove", "add"])
    path = os.path.join(folder, "forged.v")
    _, text = written(spec, path, "--delta", "1e-4", "--end", "upper" if upper else "lower", "--digits", "1",
                      "--direction", direction)
    for name, forge in pick.sample(FORGERIES_OF, len(FORGERIES_OF)):
        other = forge(text, pick, upper)
        if other is not None and other != text:
            break
    with open(path, "w", encoding="ascii") as file:
        file.write(other)
    said = coq(path)
    expect(said.returncode == 1 and "REFUSED" in said.stdout, f"{spec}, {direction}, {name}: {said.stdout}{said.stderr}")
    print(f"refused: {spec}, {direction}, {'upper' if upper else 'lower'} end, {name}", flush=True)


# Files by hand: what stands before the one theorem, what it states, its proof, and why it is refused.
HEAD = "(* a \"(* word *)\" *)\nFrom Coq Require Import Reals.\nFrom Plaudit Require Import Privacy.\nOpen Scope R_scope.\n"
LOOP = "#[bypass_check(guard)] Fixpoint loop (n : nat) : False := loop n."
ADMITTED = "Program Definition none : False := _. Admit Obligations."
BY_HAND = [("", "1 = 1", "reflexivity", None),
           (LOOP, "1 = 2", "destruct (loop 0)", "says: #[bypass_check(guard)] Fixpoint"),
           ("Unset Guard Checking. " + LOOP[23:], "1 = 2", "destruct (loop 0)", "says: Unset"),
           ('Comments "(*". Unset Guard Checking. Comments "*)".', "1 = 1", "reflexivity", "says: a string"),
           ('(* "(*" *) Unset Guard Checking. (* "*)" *)', "1 = 1", "reflexivity", "says: Unset"),
           (ADMITTED, "1 = 2", "destruct none", "says: Program"),
           (ADMITTED.replace("none", "n\u00e9"), "1 = 2", "destruct n\u00e9", "says: Program"),
           ("Definition n\u00e9 := 1.", "1 = 1", "reflexivity", None),
           ("Axiom none : False.", "1 = 2", "destruct none", "says: Axiom"),
           ("Definition a := 1. Axiom none : False.", "1 = 2", "destruct none", "says: Axiom"),
           ("", "1 = 2", "idtac. } Axiom none : False. { destruct none", "says: } Axiom"),
           ("Definition a := 1. Notation b := a.", "1 = 1", "reflexivity", "says: Notation"),
           ("(* no end", "1 = 1", "reflexivity", "says: a comment without an end"),
           ("", "1 = 2", "reflexivity", "Unable to unify"),
           # what the theorem is about is not what the library defines
           ("Definition private (m : nat) (a delta : R) := True.", "private 3 (exp (1 / 1000)) (1 / 1000)", "exact I", "own part0.private,"),
           ("Definition mine := nat.", "@nil mine = @nil mine", "reflexivity", "own part0.mine,"),
           ("Definition exp (x : R) := 0.", "1 = exp 1 + 1", "unfold exp; rewrite Rplus_0_l; reflexivity", "own part0.exp,")]


def by_hand(folder):
    paths = [os.path.join(folder, f"hand{i}.v") for i in range(len(BY_HAND) + 1)]
    for path, (before, states, proof, _) in zip(paths, BY_HAND):
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"{HEAD}{before}\nModule Hand.\nTheorem holds : {states}.\nProof.\n  {proof}.\nQed.\nEnd Hand.\n")
    with open(paths[-1], "wb") as file:
        file.write(b"\xff")
    said = coq(*paths)
    ends = re.split(r"^\S*hand\d+\.v: ", said.stdout, flags=re.M)[1:]
    expect(len(ends) == len(paths), said.stdout + said.stderr)
    for end, (*file, why) in zip(ends, [*BY_HAND, ("no text", "cannot be read")]):
        fine = end.startswith("accepted by Coq") if why is None else end.startswith("REFUSED") and why in end
        expect(fine, f"{file}, {why}: {end}")
    said = prove.axioms("Axioms:\nloop is assumed to be guarded.\nn\u00e9 : False\nClassical_Prop.classic :\n  forall P : Prop, P \\/ ~ P\n")
    expect(prove.in_short(said) == ("excluded middle", ["loop is assumed to be guarded.", "n\u00e9"]), said)


PICK = random.Random(SEED)
with tempfile.TemporaryDirectory() as folder_of_all:
    by_hand(folder_of_all)
    if RUNS < 3:
        accepted("poisson(gaussian(2), 0.1)^2", "1e-4", folder_of_all, "--end", "upper", "--direction", "remove", "--digits", "1")
        accepted("laplace(2)^3", "1e-4", folder_of_all, "--end", "lower", "--digits", "1")
    if RUNS > 0:
        accepted("poisson(gaussian(1), 1/50)^3 * laplace(5)^2", "1e-5", folder_of_all, "--end", "both", "--digits", "1")
    for _ in range(RUNS):
        accepted(*random_run(PICK), folder_of_all, "--end", "both", "--digits", "3" if RUNS > 10 else "1")
    for i in range(FORGERIES):
        refused(PICK, ORDER[i % len(ORDER)], folder_of_all)
finish()
