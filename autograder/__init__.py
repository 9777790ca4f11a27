"""What instructors run: exams, the build, class directories and the `course` command."""

import sys

from autograder.lazy_nbgrader import make_nbgrader_lazy

# A grammar of internet addresses that jsonschema would load, which takes a second; no notebook is checked for any.
sys.modules.setdefault("rfc3987_syntax", None)
make_nbgrader_lazy()
