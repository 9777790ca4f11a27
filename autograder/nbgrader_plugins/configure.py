"""How nbgrader works in a class directory; its nbgrader_config.py calls `configure`.

Classes are named and not imported: every command reads a class's configuration, and few of them run nbgrader's steps.
"""

from importlib.util import find_spec
from pathlib import Path

from traitlets.config import Config

OWN_TEMPLATES = Path(__file__).parent / "templates"
REFUSE_CANARIES = "autograder.nbgrader_plugins.refuse_canaries.RefuseCanaries"


def configure(config: Config, config_file: str) -> None:
    """Point nbgrader at the class directory that holds the file, wherever it is moved."""
    root = Path(config_file).resolve().parent
    config.CourseDirectory.root = str(root)
    config.CourseDirectory.course_id = root.name
    config.CourseDirectory.ignore = [".ipynb_checkpoints", "*.pyc", "__pycache__", "feedback", "course_lib"]
    config.Autograde.sanitize_preprocessors = [
        "nbgrader.preprocessors.ClearOutput",
        "autograder.nbgrader_plugins.autograde_steps.Rebuild",
        "nbgrader.preprocessors.OverwriteKernelspec",
        "nbgrader.preprocessors.OverwriteCells",
        "nbgrader.preprocessors.CheckCellMetadata",
    ]
    config.Autograde.autograde_preprocessors = [
        "autograder.nbgrader_plugins.autograde_steps.SealedExecute",
        "nbgrader.preprocessors.LimitOutput",
        "autograder.nbgrader_plugins.autograde_steps.SaveVerdicts",
        "nbgrader.preprocessors.AssignLatePenalties",
        "nbgrader.preprocessors.CheckCellMetadata",
    ]
    config.AssignLatePenalties.plugin_class = "autograder.gradebook.late_policy.CourseLatePolicy"
    config.CourseLatePolicy.root = str(root)
    config.ExchangeFactory.release_assignment = "autograder.nbgrader_plugins.exchange.ReleaseWithLibrary"
    config.GenerateAssignment.preprocessors.append(REFUSE_CANARIES)
    # the formgrader shows submissions in the instructor's own Jupyter: a script in one could do whatever they can do
    config.HTMLExporter.preprocessors = ["autograder.nbgrader_plugins.safe_html.Inert"]
    config.HTMLExporter.filters = {"markdown2html": "autograder.nbgrader_plugins.safe_html.inert_html"}
    # of two templates of one name the first counts: ours takes MathJax from where the page comes from
    config.HTMLExporter.extra_template_basedirs = [str(OWN_TEMPLATES), str(_nbgraders_templates())]
    config.GenerateFeedback.preprocessors = [
        "nbgrader.preprocessors.GetGrades",
        "nbgrader.preprocessors.ClearHiddenTests",
        "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor",
        REFUSE_CANARIES,
    ]


def _nbgraders_templates() -> Path:
    (nbgrader,) = find_spec("nbgrader").submodule_search_locations
    return Path(nbgrader) / "server_extensions" / "formgrader" / "templates"
