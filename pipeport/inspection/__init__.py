"""Stages, boundaries and cost of a live dataset, tf.function or SavedModel."""

from pipeport.inspection._inspect import inspect as inspect
from pipeport.inspection._report import Boundary as Boundary
from pipeport.inspection._report import Report as Report
from pipeport.inspection._report import Stage as Stage
