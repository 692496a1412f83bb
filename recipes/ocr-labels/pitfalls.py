"""The bugs of this migration, one function each; what a function returns is the evidence."""

import numpy as np
import tensorflow as tf

from pipeport import port

NUMBERS = {letter: number for number, letter in enumerate("abcdefghijklmnopqrstuvwxyz")}


def words(*given):
    return tf.data.Dataset.from_tensors(list(given)).unbatch()


def letter_that_is_not_known():
    """A dictionary raises KeyError, of Python and in the graph: what both say."""

    def body(word):
        return [NUMBERS[letter] for letter in word.decode()]

    try:
        body(b"c4t")
    except KeyError as error:
        old = str(error)
    try:
        list(words("c4t").map(port(body)))
    except tf.errors.InvalidArgumentError as error:
        return old, error.message


def bytes_for_letters():
    """Without `decode` a word is bytes: the lengths of one with an accent, decoded and not."""

    def letters(word):
        return len(word.decode())

    def bytes_of(word):
        return len(word)

    return [int(next(iter(words("café").map(port(body))))) for body in (letters, bytes_of)]


def end_of_the_line():
    """A file ends in a line break, which is a letter, too: the length of a word, read and stripped."""

    def kept(word):
        return len(word.decode())

    def stripped(word):
        return len(word.decode().strip())

    return [int(next(iter(words("cat\n").map(port(body))))) for body in (kept, stripped)]


def padding_that_is_a_letter():
    """Zeros pad by default, and 0 is a letter: what of "cab" is left after zeros, or -1, are taken off."""
    label = np.array([NUMBERS[letter] for letter in "cab"])
    found = []
    for padding in (0, -1):
        padded = tf.data.Dataset.from_tensors(label).padded_batch(1, [5], np.int64(padding))
        (row,) = next(padded.as_numpy_iterator())
        found.append("".join("abc"[number] for number in row if number != padding))
    return found
