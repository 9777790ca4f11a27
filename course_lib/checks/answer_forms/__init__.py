"""How an answer of each kind is asked: its form is checked here, its content by the exam or the visible check."""
