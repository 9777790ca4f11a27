"""The reference layers, from the bottom up: softmax, attention, positions, heads, norms, blocks.

A file of this package is an answer of the unit that `solutions/course.toml` names. May import: nothing above it.
"""
