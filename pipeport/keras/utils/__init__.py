"""Natives of `keras.utils`."""

from pipeport import _mirror
from pipeport.keras.preprocessing.image._img_to_array import img_to_array as img_to_array
from pipeport.keras.preprocessing.sequence._pad_sequences import pad_sequences as pad_sequences
from pipeport.keras.utils._to_categorical import to_categorical as to_categorical

_mirror.answer_for(__name__)
