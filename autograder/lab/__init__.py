"""A student's own machine: JupyterLab on working copies of the notebooks, and the checks of `course doctor`.

May import: course, sandbox, classroom, authoring.
"""
