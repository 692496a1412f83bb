"""Natives of `keras.preprocessing.sequence`."""

from pipeport import _mirror
from pipeport.keras.preprocessing.sequence._pad_sequences import pad_sequences as pad_sequences

_mirror.answer_for(__name__)
