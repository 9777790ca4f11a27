"""The form of an answer of each kind is checked here, its content by the exam or the visible check."""
