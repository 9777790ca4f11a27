"""What students import: the reference layers and models, tasks to train on, pictures, checks and widgets.

From the bottom up: cards, nn, tasks, plots, models, training, checks, widgets, portfolio.
A package imports only packages before it in this list.
"""

from course_lib import former_paths as former_paths
