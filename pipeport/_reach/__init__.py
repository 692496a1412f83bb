"""What a function of this package reaches, read from source text and told as a hash.

A result of a proof or of a measurement holds for the code it was made with. That code is the function, and
every function, class and constant of this package that it names, directly or through others; nothing is
imported or run. Docstrings, comments, layout, annotations of parameters, and the names and places of what
is reached do not count: moving or renaming a function without changing it gives the same hash.
"""

from pipeport._reach._hash import code_of as code_of
from pipeport._reach._hash import is_defined as is_defined
from pipeport._reach._hash import reached as reached
from pipeport._reach._scopes import imported_by as imported_by
