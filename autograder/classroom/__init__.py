"""A class directory: settings, lock, roster, due dates, releasing units and collecting submissions.

May import: course, sandbox.
"""
