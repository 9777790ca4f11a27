"""Visible checks: what a student's answer is asked in the open, and how a finding is worded."""

from course_lib.checks.blank_answers import explain_blank_answers
from course_lib.checks.check import CheckFailed, check
from course_lib.checks.finding import Finding, NotWritten

__all__ = ["CheckFailed", "Finding", "NotWritten", "check"]

explain_blank_answers()
