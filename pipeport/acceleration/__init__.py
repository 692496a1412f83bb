"""A script as it is, with the boundaries native that its own data prove right and faster: `pipeport run`."""

from pipeport.acceleration._doors import Installed as Installed
from pipeport.acceleration._doors import install as install
from pipeport.acceleration._doors import installed as installed
from pipeport.acceleration._doors import uninstall as uninstall
from pipeport.acceleration._drop_in import numpy_function as numpy_function
from pipeport.acceleration._drop_in import py_function as py_function
from pipeport.acceleration._reasons import REASONS as REASONS
from pipeport.acceleration._reasons import explained as explained
from pipeport.acceleration._reasons import page as page
from pipeport.acceleration._report import RunReport as RunReport
from pipeport.acceleration._settings import Settings as Settings
from pipeport.acceleration._verdict import Verdict as Verdict
