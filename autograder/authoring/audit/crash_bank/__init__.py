"""Answers that raise, as beginners write them, each with the explanation that its exam must give."""
