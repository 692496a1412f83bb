"""One case, a pair in an engine: Hypothesis draws, the oracle judges, a record is made."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeport._lazy import tf
from pipeport.contract import Contract, SameAugmentation, SameDistribution, always, large_image
from pipeport.errors import NotEquivalent
from pipeport.verify._augmentation import draw_p_value
from pipeport.verify._engines import forget
from pipeport.verify._examine import examine
from pipeport.verify._example import Example
from pipeport.verify._fingerprint import fingerprint, versions
from pipeport.verify._judge import Worst
from pipeport.verify._own import UnfitReference, changed_arguments
from pipeport.verify._pair import Pair
from pipeport.verify._report import CaseRecord, DtypeRecord, Failure, tally
from pipeport.verify._require import require, resolve
from pipeport.verify._snippet import example_line, snippet

if TYPE_CHECKING:
    from pipeport.verify._drawing import Verdict

Progress = Callable[[str, str, int, int], None]

# The whole proof of a case, by engine. Eagerly every example differs in all; where each signature costs a
# trace, examples share 40 of them.
WHOLE = {"eager": 200}
WHOLE_TRACED = 100
# Of pairs with a light proof: dozens share their code, and each draws few shapes.
WHOLE_LIGHT = {"eager": 80}
WHOLE_LIGHT_TRACED = 30
# Discontinuities may explain single pixels, not the picture.
MOST_ON_OTHER_SIDE = 0.25
# Sizes matter to what is computed eagerly and to what is compiled; the other engines run the same graphs.
LARGE_ENGINES = ("eager", "graph")
# Fewer examples than these are all small.
FEWEST = 4


def whole_proof(contract: Contract, engine: str) -> int:
    """Return how many examples the whole proof of a pair has in an engine."""
    if contract.light_proof:
        return WHOLE_LIGHT.get(engine, WHOLE_LIGHT_TRACED)
    return WHOLE.get(engine, WHOLE_TRACED)


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How cases are run.

    `examples`: examples per case that both sides accept. An example is one call with data of its own. In the
    engines that trace, at most 40 signatures (Python values, dtypes, shapes, what is a tensor) are drawn for
    a case, and its examples from these; eagerly, every example may differ in all. `seed`: seed of the draw;
    None takes a new one, which the record holds. `database`: folder where failing examples are kept for the
    next run. `shrink`: whether a failing example is made smaller.
    """

    examples: int = 100
    seed: int | None = 0
    database: Path | None = None
    shrink: bool = True
    shrink_seconds: float = 60.0

    def large(self, pair: Pair, engine: str) -> int:
        """Return how many of the examples are of images of a common size: one in 25, and one of a few."""
        asked = pair.large and engine in LARGE_ENGINES and self.examples >= FEWEST
        if not asked or large_image(pair.specs, pair.agreement) is None:
            return 0
        return max(1, self.examples // 25)


class _Tally:
    """Counts of the case that is running."""

    def __init__(self) -> None:
        self.dtypes: dict[str, DtypeRecord] = {}
        self.worst = Worst(refused=True)
        self.done = 0
        self.failed: tuple[Example, str] | None = None
        self.unfit: UnfitReference | None = None
        self.changed: set[str] = set()

    def add(self, dtype: str, worst: Worst) -> None:
        if self.failed is not None:  # shrinking: these are not further examples
            return
        self.done += not worst.refused
        own = DtypeRecord(dtype, int(not worst.refused), int(worst.refused), worst.ratio, worst.error)
        self.dtypes[dtype] = self.dtypes.get(dtype, DtypeRecord(dtype, 0)) | own
        self.worst |= worst


def run_case(pair: Pair, engine: str, plan: Plan, progress: Progress | None = None) -> CaseRecord:
    """Verify one pair in one engine.

    `progress`: called with (pair, engine, examples done, examples wanted). Returns: passed or failed, with
    the shrunk counterexample.
    """
    require("hypothesis")
    seed = secrets.randbits(31) if plan.seed is None else plan.seed
    counts = _Tally()
    failing: set[str] = set()
    since: list[float] = []

    # A user's reference; only one that is random by agreement may answer differently.
    own = pair.contract is None and not isinstance(pair.agreement, SameDistribution)

    from pipeport.verify._drawing import NothingToDraw, Verdict

    def judge(call: Example) -> Verdict:
        """Judge an example; raise NotEquivalent when it fails."""
        if counts.unfit is not None:
            raise counts.unfit
        key = snippet(pair, call, engine, "") if since else ""
        if since and time.monotonic() - since[0] > plan.shrink_seconds and key not in failing:
            return Verdict.ACCEPTED  # enough: smaller examples are no longer looked for
        try:
            if own:
                counts.changed |= changed_arguments(pair, call)
            worst = examine(pair, call, engine)
        except UnfitReference as error:
            counts.unfit = error
            raise
        except NotEquivalent as error:
            counts.failed = (call, str(error))
            since.append(time.monotonic())
            failing.add(key or snippet(pair, call, engine, ""))
            raise
        if worst is None:
            return Verdict.LEFT_OUT
        counts.add(call.dtype, worst)
        if progress is not None:
            progress(pair.name, engine, counts.done, plan.examples)
        return Verdict.REFUSED if worst.refused else Verdict.ACCEPTED

    try:
        if any(limit.engine == engine and limit.when is always for limit in pair.cannot_serve):
            raise NothingToDraw
        failure, enough = _draw_all(pair, engine, plan, seed, judge)
    except NothingToDraw:
        exempt = [c.reason for c in pair.cannot_serve if c.engine == engine]
        if exempt:
            # Declared, and kept as such: a reader of the results need not look into the contract.
            return CaseRecord(
                pair.name,
                engine,
                "not run",
                wanted=plan.examples,
                note="; ".join(exempt),
                seed=seed,
                fingerprint=fingerprint(pair, engine),
                versions=versions(pair.reference_name),
            )
        failure, enough = Failure("no example of the domain could be drawn: every one was left out"), True
    if counts.failed is not None:
        call, reason = counts.failed
        entry = "" if pair.contract is None else example_line(call)
        failure = Failure(reason, snippet(pair, call, engine, reason), call.dtype, entry)
    if failure is None:
        failure = _over_all(pair, engine, counts, None if enough else plan.examples)
    forget()
    return CaseRecord(
        pair=pair.name,
        engine=engine,
        status="failed" if failure else "passed",
        examples=counts.done,
        wanted=plan.examples,
        dtypes=tally(counts.dtypes.values()),
        failure=failure,
        note=_said_of(pair, counts.changed),
        seed=seed,
        fingerprint=fingerprint(pair, engine),
        versions=versions(pair.reference_name),
        large=0 if failure else plan.large(pair, engine),
    )


def _said_of(pair: Pair, changed: set[str]) -> str:
    names = " and ".join(f"`{name}`" for name in sorted(changed))
    return f"{pair.reference_name} changes {names} in place; a tensor stays as it is" if changed else ""


def _draw_all(
    pair: Pair, engine: str, plan: Plan, seed: int, judge: Callable[[Example], Verdict]
) -> tuple[Failure | None, bool]:
    """Let Hypothesis draw and shrink; return what went wrong outside `judge`, and whether all were found."""
    import hypothesis
    from hypothesis import HealthCheck, Phase, Verbosity
    from hypothesis.database import DirectoryBasedExampleDatabase
    from hypothesis.errors import Flaky

    from pipeport.verify import _user_inputs  # noqa: F401 - registers its strategies
    from pipeport.verify._drawing import judge_all
    from pipeport.verify._given import kept_calls

    phases = [Phase.reuse, Phase.generate, *([Phase.shrink] if plan.shrink else [])]
    folder = None if plan.database is None else plan.database / pair.name / engine
    settings = hypothesis.settings(
        deadline=None,
        database=None if folder is None else DirectoryBasedExampleDatabase(folder),
        phases=phases,
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
        report_multiple_bugs=False,
        print_blob=False,
        derandomize=False,
    )
    large = plan.large(pair, engine)
    try:
        for call in kept_calls(pair, engine):
            judge(call)
        enough = judge_all(
            pair, engine, plan.examples, judge, settings, f"{pair.name}|{engine}|{seed}", large=large
        )
    except NotEquivalent:
        return None, True  # kept by the caller, shrunk
    except Flaky as error:
        return Failure(f"the same example passed and failed: a function keeps state ({error})"), True
    return None, enough


def _over_all(pair: Pair, engine: str, counts: _Tally, missed: int | None) -> Failure | None:
    """Return the failure of a case whose examples all pass; `missed` is a count it did not reach."""
    worst = counts.worst
    if not counts.done or worst.refused:
        return Failure("vacuous: no example was accepted by both functions")
    if missed is not None:
        refused = sum(record.refused for record in counts.dtypes.values())
        return Failure(
            f"too few: {counts.done} of {missed} examples were accepted by both functions, {refused} were "
            "refused by both, and no more could be found; draw less that is refused"
        )
    if worst.on_other_side > MOST_ON_OTHER_SIDE * max(worst.pixels, 1):
        return Failure(
            f"{worst.on_other_side} of {worst.pixels} elements took another side of a discontinuity; "
            f"at most {MOST_ON_OTHER_SIDE:.0%} may"
        )
    if isinstance(pair.agreement, SameAugmentation) and pair.contract is not None:
        chance = draw_p_value(pair.contract, pair.native, engine)
        return _unlikely(chance, pair.agreement.false_alarm)
    if isinstance(pair.agreement, SameDistribution):
        return _test_draw(pair, pair.agreement, engine)
    return None


def _test_draw(pair: Pair, agreement: SameDistribution, engine: str) -> Failure | None:
    """Test the distribution of the draws once per case, with the native as the engine runs it."""
    native: Any = pair.native
    if engine != "eager":  # a dataset and a batch trace it too
        native = tf.function(pair.native, jit_compile=True if engine == "xla" else None)
    return _unlikely(float(resolve(agreement.statistic)(native)), agreement.false_alarm)


def _unlikely(chance: float, false_alarm: float) -> Failure | None:
    if chance >= false_alarm:
        return None
    return Failure(
        f"distribution: the draws have probability {chance:.3g} under the reference's distribution, "
        f"below {false_alarm:g}"
    )
