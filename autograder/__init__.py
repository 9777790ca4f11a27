"""What instructors run: exams, the build, class directories and the `course` command."""

import sys

# A grammar of internet addresses that jsonschema would load, which takes a second; no notebook is checked for any.
sys.modules.setdefault("rfc3987_syntax", None)
