"""Private parts of TensorFlow that pipeport uses. No other package imports them.

A release newer than `LAST` works without what needs its inside; one warning says what that is.
"""

from pipeport._tensorflow_private._autograph import OPERATORS as OPERATORS
from pipeport._tensorflow_private._autograph import as_in_user_code as as_in_user_code
from pipeport._tensorflow_private._autograph import as_written as as_written
from pipeport._tensorflow_private._autograph import autograph_lines as autograph_lines
from pipeport._tensorflow_private._autograph import holds_operators as holds_operators
from pipeport._tensorflow_private._autograph import is_unbound as is_unbound
from pipeport._tensorflow_private._autograph import is_undefined as is_undefined
from pipeport._tensorflow_private._autograph import leave_unconverted as leave_unconverted
from pipeport._tensorflow_private._barrier import BARRIER as BARRIER
from pipeport._tensorflow_private._barrier import kept as kept
from pipeport._tensorflow_private._barrier import recorded as recorded
from pipeport._tensorflow_private._barrier import register as register
from pipeport._tensorflow_private._blocks import block_at as block_at
from pipeport._tensorflow_private._blocks import with_block as with_block
from pipeport._tensorflow_private._compiled import is_compiled as is_compiled
from pipeport._tensorflow_private._datasets import generator_of as generator_of
from pipeport._tensorflow_private._datasets import graphs_called as graphs_called
from pipeport._tensorflow_private._datasets import graphs_in as graphs_in
from pipeport._tensorflow_private._datasets import graphs_of as graphs_of
from pipeport._tensorflow_private._datasets import inputs_of as inputs_of
from pipeport._tensorflow_private._datasets import python_function as python_function
from pipeport._tensorflow_private._datasets import saved_graphs as saved_graphs
from pipeport._tensorflow_private._datasets import scanned as scanned
from pipeport._tensorflow_private._datasets import traces_of as traces_of
from pipeport._tensorflow_private._datasets import wrapped as wrapped
from pipeport._tensorflow_private._draws import uniform_by as uniform_by
from pipeport._tensorflow_private._gradients import copy_gradient as copy_gradient
from pipeport._tensorflow_private._gradients import passing_gradient as passing_gradient
from pipeport._tensorflow_private._gradients import renew_gradient as renew_gradient
from pipeport._tensorflow_private._gradients import with_gradient as with_gradient
from pipeport._tensorflow_private._graphs import is_branch as is_branch
from pipeport._tensorflow_private._graphs import is_loop as is_loop
from pipeport._tensorflow_private._graphs import is_round as is_round
from pipeport._tensorflow_private._graphs import set_control_inputs as set_control_inputs
from pipeport._tensorflow_private._graphs import set_input as set_input
from pipeport._tensorflow_private._programs import Function as Function
from pipeport._tensorflow_private._programs import add_functions as add_functions
from pipeport._tensorflow_private._programs import context as context
from pipeport._tensorflow_private._programs import functions_of as functions_of
from pipeport._tensorflow_private._programs import portable as portable
from pipeport._tensorflow_private._programs import stays_a_call as stays_a_call
from pipeport._tensorflow_private._releases import LAST as LAST
from pipeport._tensorflow_private._releases import warn_if_newer as warn_if_newer
from pipeport._tensorflow_private._starts import start_alone as start_alone
from pipeport._tensorflow_private._tracing import body_of as body_of
