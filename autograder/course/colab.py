"""The first code cell of every notebook: on Google Colab, it asks for the unit's zip file and unpacks course_lib."""

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from autograder.course.units import Unit

CELL = """\
# This cell is for Google Colab. Anywhere else it does nothing: run it and go on.
import sys
from pathlib import Path

if "google.colab" in sys.modules and not Path("course_lib").is_dir():
    import io, zipfile
    from google.colab import files

    %pip install --quiet jaxtyping
    here = Path("UNIT").resolve()
    if not here.is_dir():
        print("Choose UNIT.zip, the file from your instructor. The checks and the pictures are in it.")
        for data in map(io.BytesIO, files.upload().values()):
            if zipfile.is_zipfile(data):
                zipfile.ZipFile(data).extractall(here.parent)
        if not here.is_dir():
            print("✗ No file UNIT.zip was uploaded. Run this cell again and choose that one.")
    sys.path.insert(0, str(here))"""


def colab_cell(unit: Unit) -> NotebookNode:
    return new_code_cell(CELL.replace("UNIT", unit.full_name))
