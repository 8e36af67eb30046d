"""What training code does against what its accountant assumes: facts about a training, and what is proven of them.

Facts are plain data (docs/adaptors.md has the table), read off objects of libraries by libraries.py, or stated. Each one
that the claim does not assume is a finding. What was run is a composition where a pair of it is proven, and else refused.
Proof: docs/proofs/observe.md#training"""
from __future__ import annotations

import json
import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, NamedTuple, Optional, Tuple

from .._bands import Band
from .._composition import Composition, parse
from .._core import NotApplicable, SpecError
from .pairs import _exact, _root

if TYPE_CHECKING:
    import pandas

#: The facts that are known, and what each is where nothing is said; None: not known.
FACTS: Dict[str, Any] = {
    "library": "", "history": None, "noise_multiplier": None, "sample_rate": None, "steps": None,
    "sampling": None, "sampler_rate": None, "batch": None, "population": None, "cycle": None,
    "clipping": "flat", "clipping_norm": 1, "noise_norm": None, "averaged_by": "expected", "workers": 1,
    "noise_of_each_worker": None, "batches_of_a_step": 1, "empty_batches": "kept", "seed": None, "epsilon": None, "delta": None,
    "unknown": "",
}
#: Of these None says that there is none, not that nothing is known.
_STATED_BY_NONE = ("clipping", "clipping_norm")
#: Batches that are added up in one step.
MOST_BATCHES = 100


class CodeFinding(NamedTuple):
    """Something that the code does and the claim does not assume."""

    #: Its name, as no_poisson_sampling, sample_rate, no_clipping.
    code: str
    #: What was found.
    found: str
    #: What the claim assumes.
    assumed: str
    #: What follows.
    consequence: str
    #: "changes" (what was run), "refused" (nothing is proven of it), "exceeds" (what is claimed) or "noted".
    effect: str


class TrainingReading:
    """What a training was found to be: findings, and the run of which bands are proven, or the reasons why none is."""

    def __init__(self, facts: Dict[str, Any], findings: List[CodeFinding], run: Optional[Composition],
                 claim: Optional[Composition], assumptions: List[str]) -> None:
        #: What was read, as plain data.
        self.facts = facts
        #: In the order in which they were looked for.
        self.findings = findings
        #: What was run, where a pair of it is proven.
        self.run = run
        #: What an accountant takes it for.
        self.claim = claim
        #: What was not read and is taken for granted.
        self.assumptions = assumptions

    @property
    def refusals(self) -> List[str]:
        """Why nothing is proven of what was run; empty where something is."""
        return [f"{one.code}: {one.found}; {one.consequence}" for one in self.findings if one.effect == "refused"]

    @property
    def as_claimed(self) -> bool:
        """Whether nothing was found that changes what was run, refuses it, or exceeds what is claimed."""
        return all(one.effect == "noted" for one in self.findings)

    def epsilon(self, delta: Any, **options: Any) -> Band:
        """The band of what was really run, as of `Composition.epsilon`.

        Parameters
        ----------
        delta : number
            In [0, 1].
        **options
            As there.

        Returns
        -------
        Band
            In nats. NotApplicable is raised where nothing is proven, with the reasons.
        """
        if self.run is None:
            raise NotApplicable("; ".join(self.refusals) or "nothing was run")
        band: Band = self.run.epsilon(delta, **options)
        return band

    def to_dict(self) -> Dict[str, Any]:
        """All of it as plain data, for JSON.

        Returns
        -------
        dict
            findings, run, claim (specs, or None), assumptions, facts.
        """
        return {"findings": [one._asdict() for one in self.findings], "run": self.run and self.run.spec, "claim": self.claim and self.claim.spec,
                "assumptions": list(self.assumptions), "facts": dict(self.facts)}

    def to_pandas(self) -> "pandas.DataFrame":
        """A table of the findings.

        Returns
        -------
        pandas.DataFrame
            One row for each.
        """
        import pandas

        return pandas.DataFrame(self.findings, columns=list(CodeFinding._fields))

    def __repr__(self) -> str:
        run = f"run: {self.run}" if self.run is not None else "nothing is proven of what was run"
        lines = [f"{one.effect} {one.code}: {one.found} (assumed: {one.assumed}); {one.consequence}" for one in self.findings]
        return "\n".join([f"<training, claimed: {self.claim}", *(f"  {line}" for line in lines), f"  {run}>"])


class _Found:
    """Findings, as they are made."""

    def __init__(self) -> None:
        self.findings: List[CodeFinding] = []
        #: Why lower ends of the run are not lower ends of the code; empty where they are.
        self.upper_only = ""

    def __call__(self, effect: str, code: str, found: str, assumed: str, consequence: str) -> None:
        self.findings.append(CodeFinding(code, found, assumed, consequence, effect))


def judged(given: Mapping[str, Any]) -> TrainingReading:
    """What is proven of a training of which these facts are known."""
    wrong = sorted(set(given) - set(FACTS))
    if wrong:
        raise SpecError(f"read_training: {wrong[0]} is no fact that is known: {', '.join(FACTS)}")
    facts = {**FACTS, **{name: value for name, value in given.items() if value is not None or name in _STATED_BY_NONE}}
    history, seen_steps = facts["history"], None
    if history is not None:
        seen_steps = facts["steps"]
    else:
        missing = [name for name in ("noise_multiplier", "sample_rate", "steps") if facts[name] is None]
        if missing:
            raise SpecError(f"read_training: {missing[0]} is not known: a history, or noise_multiplier, sample_rate and steps")
        history = [(facts["noise_multiplier"], facts["sample_rate"], facts["steps"])]
    if not isinstance(history, (list, tuple)) or any(not isinstance(one, (list, tuple)) or len(one) != 3 for one in history):
        raise SpecError("history: a list of (noise_multiplier, sample_rate, steps) is wanted")
    for name in ("workers", "batches_of_a_step", "cycle", "batch", "population"):
        facts[name] = None if facts[name] is None else _whole(facts[name], name, 1)
    seen_steps = None if seen_steps is None else _whole(seen_steps, "steps", 0)
    entries = [(_number(noise, "noise_multiplier"), _number(rate, "sample_rate"), _whole(steps, "steps", 0))
               for noise, rate, steps in history]
    tell = _Found()
    scale = _noise_scale(facts, tell)
    silent = any(noise == 0 and steps for noise, _, steps in entries)
    if silent:
        tell("refused", "no_noise", "a noise multiplier of 0", "noise in each step", "epsilon is infinite")
    _reductions(facts, tell)
    _one_for_all(facts, entries, tell)
    claimed = entries
    if seen_steps is not None and seen_steps != sum(steps for *_, steps in entries):
        several = len(entries) != 1
        tell("refused" if several else "changes", "steps", f"{seen_steps} steps", f"{sum(steps for *_, steps in entries)}",
             "which ones are not known" if several else "another number of releases")
        entries = [(noise, rate, int(seen_steps)) for noise, rate, _ in entries]
    factors = [_steps(facts, noise * scale[0], scale[1], rate, steps, tell) for noise, rate, steps in entries if noise and steps]
    claim = None if silent else _product([f"poisson(gaussian(sigma={noise}), rate={rate})^{steps}" if rate != 1 else
                                          f"gaussian(sigma={noise})^{steps}" for noise, rate, steps in claimed if steps])
    refused = any(one.effect == "refused" for one in tell.findings)
    run = None if refused else _product([factor for factor in factors if factor])
    if run is not None and facts["epsilon"] is not None and facts["delta"] is not None:
        _against(run, facts, tell)
    unique = list(dict.fromkeys(tell.findings))
    assumptions = ["what was found was so in all steps", "gradients are those of single records, and noise and draws are those of real numbers"]
    if tell.upper_only:
        assumptions.append(f"upper ends alone are of the code: {tell.upper_only}")
    return TrainingReading({name: value for name, value in facts.items() if value != FACTS[name]}, unique, run, claim, assumptions)


def _number(given: Any, name: str) -> Fraction:
    number = _exact(given, name)
    if number < 0 or number == 0 and name.endswith("norm") or name == "sample_rate" and not 0 < number <= 1:
        raise SpecError(f"{name}: is out of its domain: {given!r}")
    return number


def _whole(given: Any, name: str, least: int) -> int:
    number = _exact(given, name)
    if number.denominator != 1 or number < least:
        raise SpecError(f"{name}: must be an integer from {least} on, not {given!r}")
    return int(number)


def _product(specs: List[str]) -> Optional[Composition]:
    run: Any = math.prod(parse(spec) for spec in specs) if specs else None
    return run  # type: ignore[no-any-return]


def _against(run: Composition, facts: Dict[str, Any], tell: _Found) -> None:
    """The (epsilon, delta) that was stated, against the run; nothing is compared where the run's neighbours may be others."""
    if run.adjacency.kind not in ("add_remove", "as_stated"):
        return
    band, most = run.epsilon(facts["delta"]), _exact(facts["epsilon"], "epsilon")
    stated = f"({facts['epsilon']}, {facts['delta']})"
    if band.mechanism_lower > most and not tell.upper_only:
        tell("exceeds", "epsilon", f"epsilon is {band.mechanism_lower:.6g} at least", stated, "the claim is refuted")
    elif band.upper > most:
        tell("noted", "epsilon", f"an epsilon of {band.upper:.6g} is proven", stated, "the claim is neither proven nor refuted")


def _noise_scale(facts: Dict[str, Any], tell: _Found) -> Tuple[Fraction, Fraction]:
    """What the noise multiplier is to be multiplied by, and the sensitivity: norms, workers."""
    scale, norm = Fraction(1), Fraction(1)
    clipping = facts["clipping"]
    bound = facts["clipping_norm"]
    if clipping in (None, "none") or bound is None or (isinstance(bound, float) and math.isinf(bound)):
        tell("refused", "no_clipping", "gradients are not clipped", "a clipping norm", "one record moves the sum by any amount")
    elif clipping == "adaptive":
        tell("refused", "adaptive_clipping", "the clipping norm follows the batch", "a norm that is fixed, or chosen by "
             "noisy numbers", "it is updated with the number of records in the batch, to which no noise is added")
    elif clipping not in ("flat", "per_layer"):
        tell("refused", "clipping", f"clipping is {clipping!r}", "flat, or per layer", "how far a record moves the sum is not known")
    elif facts["noise_norm"] is not None:
        bound, noise_bound = _number(bound, "clipping_norm"), _number(facts["noise_norm"], "noise_norm")
        if bound != noise_bound:
            tell("changes", "clipping_norm", f"clipped to {float(bound):.6g}, noise for {float(noise_bound):.6g}", "one norm for both",
                 f"the noise is {float(noise_bound / bound):.6g} times what the noise multiplier says")
            scale, norm = noise_bound, bound
    workers, each = facts["workers"], facts["noise_of_each_worker"]
    if each is not None and workers != 1:
        part = _number(each, "noise_of_each_worker")
        square = workers * part ** 2
        if part == 0:
            tell("refused", "no_noise", f"{workers} workers add no noise", "noise in each step", "epsilon is infinite")
        elif square != 1:
            tell("changes", "noise_of_workers", f"{workers} workers add {float(part):.6g} of the noise each", "the noise once on the sum",
                 f"the sum has {math.sqrt(square):.6g} times the noise")
            least, most = _root(square)  # less noise than there is
            scale *= least
            tell.upper_only = "the root of the number of workers is rounded" if least != most else tell.upper_only
    return scale, norm


def _reductions(facts: Dict[str, Any], tell: _Found) -> None:
    if facts["averaged_by"] == "actual":
        tell("refused", "averaged_by_actual_batch", "gradients are divided by the number of records in the batch",
             "by a number that is fixed before", "one record more changes what all others contribute")
    if facts["empty_batches"] != "kept":
        tell("refused", "empty_batches", f"empty batches are {facts['empty_batches']}", "noise is released for them too",
             "whether a batch is empty shows")
    if facts["seed"] is not None:
        tell("noted", "seed", f"the generator has a seed: {facts['seed']}", "noise that nobody knows",
             "who knows the seed knows the noise")
    if facts["unknown"]:
        tell("refused", "unknown", facts["unknown"], "code that is known", "it may do anything else")


def _one_for_all(facts: Dict[str, Any], entries: List[Tuple[Fraction, Fraction, int]], tell: _Found) -> None:
    """One fact about draws is known, and it has to hold for all entries of the history."""
    if facts["sampling"] == "balls_in_bins" and len(entries) != 1:
        tell("refused", "balls_in_bins", "batches are the same in all of several parts", "each record is drawn by itself", "no pair is proven")
    rates = sorted({float(rate) for _, rate, _ in entries})
    if facts["sampling"] == "poisson" and facts["sampler_rate"] is not None and len(rates) > 1:
        tell("refused", "sample_rate", f"steps of several rates, {', '.join(f'{rate:.6g}' for rate in rates)}, and one sampler",
             "the rate of each", "which steps it drew is not known")


def _steps(facts: Dict[str, Any], sigma: Fraction, norm: Fraction, rate: Fraction, steps: int, tell: _Found) -> str:
    """The spec of these steps, by how their batches are drawn."""
    noise = f"gaussian(sigma={sigma}" + (f", sensitivity={norm})" if norm != 1 else ")")
    sampling, batches = facts["sampling"], facts["batches_of_a_step"]
    if sampling == "poisson":
        return _poisson(facts, noise, (sigma, norm), rate, steps, tell)
    if sampling == "shuffled":
        tell.upper_only = tell.upper_only or "a record is not in all batches of a pass"
        tell("changes", "no_poisson_sampling", "batches are cut from a shuffled order", "each record is drawn by itself",
             "nothing is gained by sampling: one Gaussian in each step, for a record that is in a batch at most once. Where all passes are "
             "complete, one in each is proven for a record that is replaced by a blank one")
        if batches == 1:
            return f"{noise}^{steps}"
        tell("changes", "batches_of_a_step", f"{batches} batches are added up in a step", "one batch in each", "a record is in each of them "
             "at most once, where passes end within the step in several, and moves the sum by as many norms")
        return f"gaussian(sigma={sigma}, sensitivity={batches * norm})^{steps}"
    if sampling in ("fixed", "fixed_with_replacement") and batches == 1:
        batch, population = facts["batch"], facts["population"]
        if batch is None or population is None:
            tell("refused", "fixed_batches", "batches have a fixed size, or the data an unknown one", "each record is drawn by itself",
                 "batch and population are needed")
            return ""
        tell("changes", "fixed_batches", f"{batch} of {population} records are drawn", "each record is drawn by itself", "another pair")
        double = f"gaussian(sigma={sigma}, sensitivity={2 * norm})"
        return (f"with_replacement({double}, batch={batch}, population={population})^{steps}" if sampling != "fixed" else
                f"without_replacement({double}, batch={batch}, population={population}, adjacency=replace)^{steps}")
    if sampling == "balls_in_bins" and facts["cycle"] and steps % facts["cycle"] == 0:
        cycle = facts["cycle"]
        tell("changes", "balls_in_bins", f"each record is in one of {cycle} batches, in all rounds the same", "each record is drawn by itself",
             "another pair")
        same = "" if steps == cycle else f", epochs_of_one_assignment={steps // cycle}"
        return f"random_allocation({noise}, steps={cycle}{same})"
    tell("refused", "sampling", f"how batches are drawn: {sampling}" if sampling else "it is not known how batches are drawn",
         "each record is drawn by itself", "no pair is proven")
    return ""


def _poisson(facts: Dict[str, Any], noise: str, scale: Tuple[Fraction, Fraction], rate: Fraction, steps: int, tell: _Found) -> str:
    batches = facts["batches_of_a_step"]
    drawn = facts["sampler_rate"]
    each = _number(drawn, "sample_rate") if drawn is not None else rate / batches
    if batches == 1:
        if each != rate:
            tell("changes", "sample_rate", f"the sampler draws at {float(each):.9g}", f"{float(rate):.9g}", "another rate")
        return f"poisson({noise}, rate={each})^{steps}" if each != 1 else f"{noise}^{steps}"
    if batches > MOST_BATCHES:
        tell("refused", "batches_of_a_step", f"{batches} batches are added up in a step", "one", f"at most {MOST_BATCHES} are computed")
        return ""
    # The record is in a binomial number of them. Proof: docs/proofs/observe.md#training
    tell("changes", "batches_of_a_step", f"{batches} batches, each drawn by itself, are added up in a step",
         f"one batch at the rate {float(rate):.9g}", "a record may be in several of them, and moves the sum by as many norms")
    chances = [math.comb(batches, i) * each ** i * (1 - each) ** (batches - i) for i in range(batches + 1)]
    return (f"mixture(sigma={scale[0]}, sensitivities=[{', '.join(str(i * scale[1]) for i in range(batches + 1))}], "
            f"probabilities=[{', '.join(map(str, chances))}])^{steps}")


def facts_of_text(text: str) -> Any:
    """A saved state as JSON, with numbers as they stand."""
    try:
        return json.loads(text, parse_float=str)
    except (ValueError, RecursionError) as error:
        raise SpecError(f"read_training: JSON: {error}") from None
