"""Import hook for the module paths of version 0.1, which notebooks released then still import."""

import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

FORMER = {
    "course_lib.attention": "course_lib.nn.attention",
    "course_lib.attention_record": "course_lib.training.attention_hooks",
    "course_lib.blocks": "course_lib.nn.blocks",
    "course_lib.language_model_config": "course_lib.models.configs",
    "course_lib.masks": "course_lib.nn.masks",
    "course_lib.multihead": "course_lib.nn.multihead",
    "course_lib.norm": "course_lib.nn.norm",
    "course_lib.own_parts": "course_lib.portfolio.student_parts",
    "course_lib.position_probe": "course_lib.training.position_probe",
    "course_lib.positions": "course_lib.nn.positions",
    "course_lib.summary_sheet": "course_lib.portfolio.cheatsheet",
    "course_lib.toy_words": "course_lib.tasks.toy_words",
    "course_lib.training_loop": "course_lib.training.loop",
    "course_lib.training_view": "course_lib.training.live_curve",
    "course_lib.transformer_config": "course_lib.models.configs",
    "course_lib.vit_config": "course_lib.models.configs",
}


class FormerPaths(MetaPathFinder, Loader):
    """Gives a former path an empty module whose `__getattr__` looks names up in the module of the new path."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return ModuleSpec(fullname, self) if fullname in FORMER else None

    def exec_module(self, module: ModuleType) -> None:
        module.__getattr__ = partial(getattr, import_module(FORMER[module.__name__]))  # type: ignore[method-assign]


sys.meta_path.append(FormerPaths())
