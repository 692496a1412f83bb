"""Verify that a native, or your own function, agrees with its reference.

Importing this module loads neither TensorFlow nor Hypothesis.
"""

from pipeport.verify._api import check as check
from pipeport.verify._api import verify_pair as verify_pair
from pipeport.verify._judge_bounds import Close as Close
from pipeport.verify._report import CaseRecord as CaseRecord
from pipeport.verify._report import DtypeRecord as DtypeRecord
from pipeport.verify._report import Failure as Failure
from pipeport.verify._report import Report as Report
from pipeport.verify._require import MissingPackage as MissingPackage
