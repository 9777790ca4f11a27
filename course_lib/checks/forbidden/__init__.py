"""Functions a student may not call, because writing what they do is the exercise: found as written, and as run."""

from course_lib.checks.forbidden.doubts import Doubt, take_doubts
from course_lib.checks.forbidden.guard import forbidding

__all__ = ["Doubt", "forbidding", "take_doubts"]
