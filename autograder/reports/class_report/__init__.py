"""One page for the instructor: scores, exercises, misconceptions, similar and suspicious submissions."""
