"""Answers that raise, as beginners write them, each with the explanation that its exam must give."""

from autograder.authoring.audit.crash_bank import unit_05, unit_06, units_00_02, units_03_04, units_07_08, written_after

CRASHES = (
    *units_00_02.CRASHES,
    *units_03_04.CRASHES,
    *unit_05.CRASHES,
    *unit_06.CRASHES,
    *units_07_08.CRASHES,
    *written_after.CRASHES,
)
