"""Write docs/claims.md: what is published about tf.function beside what was measured.

    python bench/claims.py            # write
    python bench/claims.py --check    # exit code 1 when the page is stale

Every verdict follows from bench/results/tf-function.json by the rules of bench/claim_rules.py; no figure is
typed by hand.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from claim_rules import SOURCES, Claim, judged

from pipeport.trace import _text
from pipeport.trace._suite import SuiteResult, read_result

ROOT = Path(__file__).resolve().parent.parent
RESULT = ROOT / "bench" / "results" / "tf-function.json"
PAGE = ROOT / "docs" / "claims.md"
COLUMNS = (
    *("function", "mode", "first call", "later calls"),
    *("against plain Python", "pays off", "against eager", "pays off"),
)
COMMAND = "pipeport bench --suite tf-function"


def page(result: SuiteResult) -> str:
    """Return the page as Markdown."""
    return "\n".join([*_head(result), *_claims(result), *_functions(result)]) + "\n"


def _head(result: SuiteResult) -> Iterator[str]:
    yield "# What is said of tf.function, and what was measured"
    yield ""
    yield "<!-- written by bench/claims.py -->"
    yield ""
    yield (
        "Claims of four widely read texts, in our words. *Holds*, *holds only when* and *does not hold* "
        "follow from the measured figures by rules (`bench/claim_rules.py`): a mode counts as faster or "
        "slower only where the interval of the ratio says so. *Much* is twice and more, *little* a fifth at "
        "most."
    )
    yield ""
    yield f"Measured: {_text.headline(*result.reports)}. On another machine some verdicts change; see yours:"
    yield ""
    yield f"```sh\n{COMMAND}\n```"
    yield ""


def _claims(result: SuiteResult) -> Iterator[str]:
    for source, title in SOURCES.items():
        yield f"## {title}"
        yield ""
        yield "| claim | verdict | measured |"
        yield "| --- | --- | --- |"
        for claim in judged(result, source):
            yield _row(*claim)
        yield ""


def _row(claim: Claim, verdict: str, when: str, evidence: str) -> str:
    bold = f"**{verdict}**" + (f" {when}" if when else "")
    return f"| {claim.text} | {bold} | {evidence} |".replace("\n", " ")


def _functions(result: SuiteResult) -> Iterator[str]:
    yield "## The functions"
    yield ""
    yield (
        "First call: tracing and compiling included. *Pays off* is the call from which on a mode has cost "
        "less time in all."
    )
    yield ""
    yield f"| {' | '.join(COLUMNS)} |"
    yield f"|{' --- |' * len(COLUMNS)}"
    for report in result.reports:
        for mode in report.modes:
            if not mode.measured:
                continue
            cells = [f"`{report.name}`", _text.WORDS[mode.mode], _text.seconds(mode.first)]
            cells.append(f"{_text.seconds(mode.steady.median)} ({_text.interval(mode.steady)})")
            for other in ("python", "eager"):
                one = report.comparison(mode.mode, other)
                cells += (
                    ["", ""]
                    if one is None
                    else [_text.speed_text(one.speed), _text.break_even_text(one.break_even)]
                )
            yield f"| {' | '.join(cells)} |"
    yield ""
    for report in result.reports:
        yield f"- `{report.name}`: {result.abouts[report.name]}."
        for problem in _text.problems(report):
            yield f"  {problem}"
    yield ""
    yield "![Time of so many calls in all, per function and mode](../bench/results/tf-function.svg)"


def main() -> None:
    """Write the page, or compare it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    text = page(read_result(RESULT))
    if not parser.parse_args().check:
        PAGE.write_text(text, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
        raise SystemExit(f"{PAGE.name} is stale: run python bench/claims.py.")


if __name__ == "__main__":
    main()
