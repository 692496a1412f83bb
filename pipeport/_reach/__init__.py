"""The source text that a function of this package reaches, hashed.

A proof or a figure holds for the code it was made with: the function, and every function, class and constant
of this package that it names, directly or through others. Nothing is imported or run. Docstrings, comments,
layout, annotations of parameters, and the names and places of definitions do not count: a function that is
moved or renamed has the same hash. `JUDGES` and `PLUMBING` are not followed.
"""

from pipeport._reach._hash import ROOT as ROOT
from pipeport._reach._hash import code_of as code_of
from pipeport._reach._hash import distance as distance
from pipeport._reach._hash import is_defined as is_defined
from pipeport._reach._hash import reached as reached
from pipeport._reach._modules import JUDGES as JUDGES
from pipeport._reach._modules import OPAQUE as OPAQUE
from pipeport._reach._modules import PLUMBING as PLUMBING
from pipeport._reach._scopes import imported_by as imported_by
