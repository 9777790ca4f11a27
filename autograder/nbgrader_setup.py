"""Re-exports `configure` by the path that the nbgrader_config.py of every class directory imports."""

from autograder.nbgrader_plugins.configure import configure as configure
