"""Reads what Opacus and jax-privacy have of a training as facts (readings.py), by the attributes of their objects: neither
library is needed. A class that is not known by its exact name is refused, since it may do anything."""
from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Dict, List, Mapping as MappingType, Optional, Tuple

from .._core import SpecError
from .._events.libraries import from_
from .readings import TrainingReading, facts_of_text, judged

#: Of Opacus 1.6: how each clips. With FastGradientClipping in the name the module clips, by a norm of its own.
_OPTIMIZERS = {"DPOptimizer": "flat", "DPPerLayerOptimizer": "per_layer", "AdaClipDPOptimizer": "adaptive",
               "DistributedDPOptimizer": "flat", "SimpleDistributedPerLayerOptimizer": "per_layer",
               "DPOptimizerFastGradientClipping": "flat", "DistributedDPOptimizerFastGradientClipping": "flat"}


def read_training(training: Any, *, optimizer: Any = None, data_loader: Any = None, module: Any = None, criterion: Any = None,
                  **stated: Any) -> TrainingReading:
    """Reads what training code does, and holds it to what its accountant assumes.

    Parameters
    ----------
    training : object
        Of Opacus a `PrivacyEngine` or an accountant; of jax-privacy a `DPExecutionPlan`, a `BandMFExecutionPlanConfig` or a
        `DPKerasConfig`; a saved state, or facts (docs/adaptors.md), as a dict or as JSON text.
    optimizer, data_loader, module, criterion : objects
        What `make_private` of Opacus returned, and the loss. What is not given is not read, and said under `assumptions`.
    **stated
        Facts that cannot be read off these objects: sampling="poisson", population=50000, ...

    Returns
    -------
    TrainingReading
        Findings, and what was run where a pair of it is proven.

    Examples
    --------
    >>> seen = read_training({"noise_multiplier": 1, "sample_rate": 0.01, "steps": 100, "sampling": "shuffled"})
    >>> [one.code for one in seen.findings], seen.run.spec
    (['no_poisson_sampling'], 'gaussian(sigma=1)^100')
    >>> read_training({"noise_multiplier": 1, "sample_rate": 0.01, "steps": 100, "sampling": "poisson"}).as_claimed
    True
    """
    if isinstance(training, str):
        training = facts_of_text(training)
    unread: List[str] = []
    if hasattr(training, "batch_selection_strategy") and hasattr(training, "dp_event"):
        facts = _plan(training, stated)
    elif hasattr(training, "poisson_sampling_in_fit"):
        facts = _keras(training)
    elif hasattr(training, "strategy") and hasattr(training, "plan"):
        facts = {**_plan(training.plan, stated), "epsilon": training.epsilon, "delta": training.delta}
    elif isinstance(training, Mapping) and "privacy_accountant_state_dict" not in training:
        facts = dict(training)
        facts.pop("mechanism", None)
        if facts.pop("poisson_sampling", None) is False:
            facts["sampling"] = "shuffled"
    else:
        facts = _engine(training)
        unread = [name for name, given in (("optimizer", optimizer), ("data_loader", data_loader), ("module", module),
                                           ("criterion", criterion)) if given is None]
    if data_loader is not None:
        _merge(facts, _loader(data_loader))
    if optimizer is not None:
        _merge(facts, _optimizer(optimizer, module))
    _merge(facts, _reduction(module, criterion))
    _merge(facts, stated)
    if optimizer is not None and data_loader is not None:
        _accumulation(facts)
    if isinstance(facts.get("unknown"), (list, tuple)):
        facts["unknown"] = "; ".join(facts["unknown"])
    seen = judged(facts)
    if hasattr(training, "dp_event") or hasattr(training, "plan"):
        unread = ["clipping and noise of the plan, which are functions (taken for those of its event)"]
    if unread:
        seen.assumptions.insert(0, f"not read: {', '.join(unread)}")
    return seen


def _merge(facts: Dict[str, Any], more: Dict[str, Any]) -> None:
    unknown = [facts.get("unknown"), more.get("unknown")]
    facts.update({name: value for name, value in more.items() if value is not None})
    if any(unknown):
        facts["unknown"] = "; ".join(one for one in unknown if one)


def _kind(x: Any) -> str:
    """The name of its class; with its module before it, where that is not of Opacus, torch or jax-privacy."""
    cls = type(x)
    root = cls.__module__.partition(".")[0]
    return cls.__name__ if root in ("opacus", "torch", "jax_privacy") else f"{cls.__module__}.{cls.__name__}"


def _engine(training: Any) -> Dict[str, Any]:
    if isinstance(training, Mapping):  # a checkpoint
        state = dict(training["privacy_accountant_state_dict"])
        return {"library": "opacus", "history": state.get("history"),
                "sampling": "shuffled" if state.get("poisson_sampling", True) is False else None}
    accountant = getattr(training, "accountant", training)
    if not hasattr(accountant, "history"):
        raise SpecError(f"read_training: a {type(training).__name__} is not known: it takes a PrivacyEngine or accountant of "
                        "Opacus, a plan or a configuration of jax-privacy, or facts as a dict or JSON")
    sampled = getattr(accountant, "poisson_sampling", None)  # plaudit's own accountant may know it
    return {"library": "opacus", "history": list(accountant.history), "sampling": "shuffled" if sampled is False else None}


def sampling_of(data_loader: Any) -> Optional[str]:
    """How a loader of torch draws its batches: "poisson", "shuffled", or None where that is not known."""
    return _sampler(getattr(data_loader, "batch_sampler", None)).get("sampling")


def _sampler(sampler: Any) -> Dict[str, Any]:
    kind = _kind(sampler)
    if kind == "BatchSplittingSampler":  # of BatchMemoryManager: parts of one batch, with one noise
        return _sampler(sampler.sampler)
    if kind == "UniformWithReplacementSampler":
        return {"sampling": "poisson", "sampler_rate": sampler.sample_rate}
    if kind == "DistributedUniformWithReplacementSampler":
        return {"sampling": "poisson", "sampler_rate": sampler.sample_rate, "empty_batches": "skipped",
                "workers": sampler.num_replicas}
    inner = getattr(sampler, "sampler", None)
    if kind == "BatchSampler" and (_kind(inner) == "SequentialSampler" or _kind(inner) == "RandomSampler"
                                   and not getattr(inner, "replacement", True)):
        return {"sampling": "shuffled", "sampler_rate": Fraction(1, max(1, len(sampler)))}
    return {"sampling": None, "unknown": f"batches are drawn by {kind}" + (f" of {_kind(inner)}" if inner is not None else "")}


def _loader(loader: Any) -> Dict[str, Any]:
    facts = _sampler(getattr(loader, "batch_sampler", None))
    if getattr(getattr(loader, "collate_fn", None), "rand_on_empty", False):
        facts["empty_batches"] = "random records"
    return facts


def _optimizer(optimizer: Any, module: Any) -> Dict[str, Any]:
    kind = _kind(optimizer)
    if kind not in _OPTIMIZERS:
        return {"unknown": f"the optimizer is a {kind}", "clipping": "flat"}
    facts: Dict[str, Any] = {"clipping": _OPTIMIZERS[kind], "clipping_norm": optimizer.max_grad_norm,
                             "noise_norm": optimizer.max_grad_norm}
    if "FastGradientClipping" in kind:
        if module is None:
            facts["unknown"] = "ghost clipping is done by the module, which is not given"
        else:
            facts["clipping_norm"] = module.max_grad_norm
    elif kind.endswith("PerLayerOptimizer"):  # the norm of all is a float32 there; both count as the same
        del facts["noise_norm"]
    replaced = sorted({"pre_step", "clip_and_accumulate", "accumulate", "add_noise"} & set(vars(optimizer)))
    if replaced:  # on the object itself, and not in its class
        facts["unknown"] = f"{', '.join(replaced)} of the optimizer was replaced"
    generator = getattr(optimizer, "generator", None)
    if generator is not None and not getattr(optimizer, "secure_mode", False):
        facts["seed"] = generator.initial_seed() if hasattr(generator, "initial_seed") else "of a generator that was given"
    return facts


def _reduction(module: Any, criterion: Any) -> Dict[str, Any]:
    """Opacus multiplies by the size of the batch where the module is told that the loss is a mean: both must say the same."""
    one, other = getattr(module, "loss_reduction", None), getattr(criterion, "reduction", None)
    return {"averaged_by": "actual"} if one and other and one != other else {}


def _accumulation(facts: Dict[str, Any]) -> None:
    """Opacus states a step of k batches with k times the rate."""
    rate = facts.get("sampler_rate")
    if rate is None or not facts.get("history") or "batches_of_a_step" in facts:
        return
    batches = {round(float(entry[1]) / float(rate)) for entry in facts["history"] if abs(
        float(entry[1]) / float(rate) - round(float(entry[1]) / float(rate))) < 1e-9}
    if len(batches) == 1 and max(batches) > 1 and len({entry[1] for entry in facts["history"]}) == 1:
        facts["batches_of_a_step"] = max(batches)


# ---- jax-privacy

def _keras(config: Any) -> Dict[str, Any]:
    batches = config.gradient_accumulation_steps
    sampled = config.poisson_sampling_in_fit
    return {"library": "jax_privacy", "noise_multiplier": config.noise_multiplier, "steps": config.train_steps,
            "sample_rate": Fraction(config.batch_size * batches, config.train_size), "epsilon": config.epsilon, "delta": config.delta,
            "sampling": "poisson" if sampled else "shuffled", "batches_of_a_step": batches,
            "sampler_rate": Fraction(config.batch_size, config.train_size), "seed": config.seed}


def _plan(plan: Any, stated: MappingType[str, Any]) -> Dict[str, Any]:
    run = from_(plan.dp_event, adjacency=stated.get("adjacency", "zero_out"))
    entries = [_entry(one.mechanism, one.count) for one in run.steps]
    strategy = plan.batch_selection_strategy
    kind = _kind(strategy)
    facts: Dict[str, Any] = {"library": "jax_privacy", "history": entries}
    if any(entry is None for entry in entries):
        return {**facts, "history": [(1, 1, 1)], "unknown": f"the event {run.spec[:80]} is no Gaussian noise on Poisson samples"}
    facts["steps"] = strategy.iterations if hasattr(strategy, "iterations") else None
    if kind == "CyclicPoissonSampling" and strategy.truncated_batch_size is None:
        facts.update(sampling="poisson", sampler_rate=strategy.sampling_prob)
        # with correlated noise a record meets one Gaussian in each cycle: docs/proofs/matrix.md#cyclic
        return {**facts, "steps": -(-strategy.iterations // strategy.cycle_length)}
    if kind == "FixedBatchSampling":
        return {**facts, "sampling": "fixed_with_replacement" if strategy.replace else "fixed", "batch": strategy.batch_size}
    if kind == "BallsInBinsSampling":
        return {**facts, "sampling": "balls_in_bins", "cycle": strategy.cycle_length}
    return {**facts, "unknown": f"batches are drawn by {kind}" + (
        " with a cap" if getattr(strategy, "truncated_batch_size", None) is not None else "")}


def _entry(step: Any, count: int) -> Optional[Any]:
    """(noise multiplier, rate, steps) of one Gaussian, Poisson sampled or not."""
    noise, rate = step, Fraction(1)
    if step.name == "poisson":
        noise, rate = step.arguments["mechanism"], step.arguments["rate"]
    if noise.name != "gaussian" or "sensitivity" in noise.arguments:
        return None
    return noise.arguments["sigma"], rate, count


def canary_scores(scored: Any, members: Any = None) -> Tuple[List[float], List[float]]:
    """Scores of the canaries that were in, and of those that were out, for `observe`.

    Parameters
    ----------
    scored : object
        A `CanaryScoreAuditor` of jax-privacy; a table, or dict, with the columns score and member; or the scores alone, in
        the order of the canaries: higher where it rather was in (of losses, the negative ones).
    members : sequence of bool, optional
        Of scores alone: whether each canary was in.

    Returns
    -------
    tuple of two lists
        In and out.

    Examples
    --------
    >>> canary_scores([0.5, 2, 1], members=[False, True, False])
    ([2.0], [0.5, 1.0])
    """
    for one, other in (("_in_canary_scores", "_out_canary_scores"), ("in_scores", "out_scores")):
        if members is None and hasattr(scored, one) and hasattr(scored, other):
            return [float(x) for x in getattr(scored, one)], [float(x) for x in getattr(scored, other)]
    if members is None:
        try:
            scored, members = scored["score"], scored["member"]
        except (KeyError, TypeError, IndexError):
            raise SpecError("canary_scores: a CanaryScoreAuditor, a table with score and member, or scores and members") from None
    scores, coins = [float(x) for x in scored], list(members)
    if len(scores) != len(coins) or any(coin not in (0, 1) for coin in coins):
        raise SpecError(f"canary_scores: {len(scores)} scores and {len(coins)} members: as many are wanted, each true or false")
    return [x for x, coin in zip(scores, coins) if coin], [x for x, coin in zip(scores, coins) if not coin]
