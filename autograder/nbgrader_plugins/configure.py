"""nbgrader's settings for a class directory, whose nbgrader_config.py calls `configure`.

Classes are given by their path and not imported: every command reads the configuration, and few run nbgrader's steps.
"""

from importlib.util import find_spec
from pathlib import Path

from traitlets.config import Config

OWN_TEMPLATES = Path(__file__).parent / "templates"
REFUSE_CANARIES = "autograder.nbgrader_plugins.refuse_canaries.RefuseCanaries"


def configure(config: Config, config_file: str) -> None:
    """Set nbgrader up for the class directory that holds `config_file`; the directory may be moved."""
    root = Path(config_file).resolve().parent
    config.CourseDirectory.root = str(root)
    config.CourseDirectory.course_id = root.name
    config.CourseDirectory.ignore = [".ipynb_checkpoints", "*.pyc", "__pycache__", "feedback", "course_lib"]
    config.Autograde.exporter_class = "autograder.nbgrader_plugins.careful_reading.CarefulExporter"
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
    config.ExchangeFactory.collect = "autograder.nbgrader_plugins.exchange.CollectRegularFiles"
    config.GenerateAssignment.preprocessors.append(REFUSE_CANARIES)
    # The formgrader shows submissions in the instructor's Jupyter, where a script would have the instructor's rights.
    config.HTMLExporter.preprocessors = ["autograder.nbgrader_plugins.safe_html.Inert"]
    config.HTMLExporter.filters = {"markdown2html": "autograder.nbgrader_plugins.safe_html.inert_html"}
    # The first template of a name wins: ours loads MathJax from the same server as the page.
    config.HTMLExporter.extra_template_basedirs = [str(OWN_TEMPLATES), str(_nbgraders_templates())]
    config.GenerateFeedback.preprocessors = [
        "nbgrader.preprocessors.GetGrades",
        "nbgrader.preprocessors.ClearHiddenTests",
        "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor",
        REFUSE_CANARIES,
    ]


def _nbgraders_templates() -> Path:
    nbgrader = find_spec("nbgrader")
    assert nbgrader is not None
    assert nbgrader.origin is not None
    return Path(nbgrader.origin).parent / "server_extensions" / "formgrader" / "templates"
