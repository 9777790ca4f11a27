"""Names of cells: the graded cell of an exercise is named after it, with a prefix."""

TEST_PREFIX = "test_"


def exercise_of(cell_name: str) -> str:
    """The exercise that a graded cell or an answer belongs to."""
    return cell_name.removeprefix(TEST_PREFIX)
