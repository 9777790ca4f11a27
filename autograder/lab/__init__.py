"""A student's own machine: JupyterLab on working copies of the notebooks, and `course doctor`.

May import: course, classroom, authoring.
"""
