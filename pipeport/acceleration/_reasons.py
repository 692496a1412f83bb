"""Why a boundary stays Python: the code, what is said, what to do, and what is behind it."""

from __future__ import annotations

from typing import NamedTuple

from pipeport.errors import UnsupportedArgument, explain


class Reason(NamedTuple):
    """Why a boundary stays Python.

    `code`: 'PP2' and two digits; it never changes its meaning. `said`: in a sentence whose subject is the
    boundary. `text`: what is behind it, in whole sentences.
    """

    code: str
    said: str
    advice: str
    text: str


REASONS = {
    "outside": Reason(
        "PP201",
        "it is outside of a dataset's map",
        "Call it in `Dataset.map` to have it tried.",
        "Only a map has elements to try a function on. A boundary in a loss, a metric or a training step "
        "stays as it is.",
    ),
    "graph": Reason(
        "PP202",
        "its dataset is made in a graph",
        "Make it eagerly, outside of a tf.function.",
        "Elements can be read only of a dataset that exists while the script runs: not inside of a "
        "`tf.function`, of `flat_map` or `interleave`, nor with TensorFlow 1 graphs.",
    ),
    "inside": Reason(
        "PP203",
        "it is inside of a branch or a loop of the map",
        "Call it in the map itself.",
        "What such a boundary is given depends on the branch or the round. Move the whole branch or loop "
        "into the function that the boundary calls: `pipeport.port` serves both.",
    ),
    "mode": Reason(
        "PP204",
        "functions run eagerly, or operations are deterministic",
        "Nothing is tried in this mode.",
        "Under `tf.config.run_functions_eagerly`, in the debug mode of tf.data and with deterministic "
        "operations that have no seed, a trial would show what the script does not do.",
    ),
    "left out": Reason(
        "PP205",
        "it was left out",
        "Change --only or --skip.",
        "The options --only and --skip, or the arguments of `pipeport.install`, name the boundaries that are "
        "tried.",
    ),
    "form": Reason(
        "PP206",
        "its arguments or results are none that are tried",
        "Give tensors, and dtypes in Tout.",
        "A boundary is tried if it takes a list of dense tensors and `Tout` is a dtype or a list of dtypes. "
        "Sparse and ragged tensors, and nested structures, stay as they are.",
    ),
    "effect": Reason(
        "PP207",
        "it may change more than its result",
        "Move the effect out of the function.",
        "A trial runs the function on elements that the script did not ask for. That is only allowed where "
        "its source, and that of all it calls, tells that nothing else changes: no print, log, counter, "
        "file, cache, clock or environment, and no call of an unknown library.",
    ),
    "changes": Reason(
        "PP208",
        "what it reads may change",
        "Pass it as an argument of the function.",
        "A graph keeps the values that it was made with. If your sources assign an attribute or a global "
        "again that the function reads, or if it was changed after the graph was made, the function itself "
        "runs, which reads it anew for each element.",
    ),
    "unread": Reason(
        "PP209",
        "its elements cannot be read for a trial",
        "Put it behind a source that can be read twice.",
        "Three elements of the dataset in front are read for a trial. A generator or a boundary in "
        "front that does more than compute, as its source tells, and a stage that changes a state cannot be "
        "read twice without a trace.",
    ),
    "little": Reason(
        "PP210",
        "there is little to win",
        "Nothing needs to be done.",
        "The boundaries of this dataset take less than 20 seconds of processor time in Python in a run: of "
        "three epochs, or as many as an earlier run began. A trial costs seconds, which that would not give "
        "back. --least takes another number of seconds, --prefer-native tries them nevertheless.",
    ),
    "limit": Reason(
        "PP211",
        "the seconds for trials were used up",
        "Give --limit more seconds.",
        "All trials of a process together end after --limit seconds, so that a script with many boundaries "
        "begins in time. Choices are remembered: the next run measures only what this one left.",
    ),
    "refused": Reason(
        "PP212",
        "it has no native form",
        "`pipeport port` lists what stands in the way.",
        "`pipeport.port` refuses the function with the sizes and dtypes that it has here, or its graph would "
        "become larger than it pays. A call without a native, a loop that ends by data, and a result of a "
        "shape that only data tells are the usual causes.",
    ),
    "differs": Reason(
        "PP213",
        "its native form gives other results",
        "`pipeport verify --port` finds an example.",
        "On one of the three elements the native form and the function differ by more than the contracts of "
        "the natives in it allow, also where these were asked for every bit.",
    ),
    "exact": Reason(
        "PP214",
        "its native form is not equal to the bit",
        "Leave --exact out to allow rounding.",
        "With --exact a boundary becomes native only if it draws nothing, every native in it is exact by its "
        "contract, and the three elements are equal to the bit.",
    ),
    "slower": Reason(
        "PP215",
        "its native form is slower",
        "Try larger elements, --keep NAME for a call whose native is slower, or --prefer-native.",
        "An element took longer, or more processor time, as the native form than in Python. Loops of many "
        "rounds and very small arrays are the usual causes. --prefer-native takes it all the same, for a "
        "graph that can be saved.",
    ),
    "start": Reason(
        "PP216",
        "an epoch would be longer, by the start of its iterator",
        "`repeat()` with `steps_per_epoch` starts the iterator once.",
        "An element is faster, but each new iterator of the dataset takes longer to begin, and an epoch has "
        "too few elements to repay that. An endless dataset begins once.",
    ),
    "failed": Reason(
        "PP217",
        "its trial failed",
        "Please report it, with the report's text.",
        "Something in the trial raised, or the map function itself raises with natives in it: static shapes "
        "make a wrong `set_shape` fail, for example. The boundary is what it was.",
    ),
}  # fmt: skip


def page(reason: Reason) -> str:
    """Return the text of a reason in Markdown, with a heading of the third level.

    Parameters
    ----------
    reason : Reason
        Of `REASONS`.

    Returns
    -------
    str
        Code and sentence, what is behind it, what to do.
    """
    return f"### {reason.code}: {reason.said}\n\n{reason.text}\n\n{reason.advice}\n"


def explained(code: str) -> list[Reason]:
    """Return the reasons that a code, or the beginning of one, stands for.

    Parameters
    ----------
    code : str
        'PP207', or 'PP2' for all.

    Returns
    -------
    list of Reason
        By code.

    Raises
    ------
    UnsupportedArgument
        It stands for none.
    """
    found = [one for one in REASONS.values() if code and one.code.startswith(code)]
    if not found:
        allowed = f"{', '.join(one.code for one in REASONS.values())}, or PP2 for all"
        raise UnsupportedArgument(explain("code", repr(code), allowed, "The report names the codes."))
    return found
