"""The examiner's session with a kernel: proxies, callbacks, limits, and what a kernel may say."""

import time
from contextlib import closing

import pytest
import torch
from torch import nn

from autograder.course.units import find_unit
from autograder.examiner.assignment import Limits
from autograder.examiner.cell_outputs import MOST_CHARACTERS
from autograder.examiner.proxies import Proxy
from autograder.examiner.session import Lost, Session
from autograder.sandbox.zygote_pool import Zygote
from course_lib.checks import Finding, NotWritten
from course_lib.checks.answer_forms.bug_hunts import run_test
from course_lib.checks.answer_forms.module_tasks import attribute
from course_lib.checks.student_call import call

pytestmark = pytest.mark.xdist_group("session")

UNIT, LIMITS = find_unit("01"), Limits(cell=10, call=3)


def answer(session, source, name="f"):
    outputs = session.run(source)
    assert not [output for output in outputs if output.output_type == "error"], outputs
    defined, value = session.look_up(name)
    assert defined
    return value


def test_values_cross_and_functions_stay(session):
    assert answer(session, "f = {'Q': 'B n d', 'n': (1, 2.5, None, ...)}") == {
        "Q": "B n d",
        "n": (1, 2.5, None, ...),
    }
    function = answer(session, "def f(x): return x + 1, 'done'")
    assert isinstance(function, Proxy)
    value, word = call("f", function, [torch.ones(2)])
    assert torch.equal(value, torch.full((2,), 2.0))
    assert word == "done"


def test_what_is_not_defined_is_said(session):
    assert session.look_up("nothing") == (False, None)


def test_errors_arrive_with_the_students_own_line(session):
    function = answer(session, "def f(x):\n    return x @ x")
    with pytest.raises(Finding, match=r"f raised RuntimeError: mat1 .*\nin your line: return x @ x"):
        call("f", function, [torch.ones(2, 3)])
    with pytest.raises(NotWritten):
        call("f", answer(session, "def f(x): raise NotImplementedError()"), [1])


def test_an_error_in_what_the_exam_hands_over_is_shown_at_the_line_that_calls_it(session):
    def given(x):
        raise ValueError("x is too long")

    function = answer(session, "def f(given):\n    y = 1\n    return given(y)")
    with pytest.raises(Finding) as found:
        call("f", function, [given])
    assert str(found.value) == "f raised ValueError: x is too long\nin your line: return given(y)"


def test_modules_answer_for_themselves(session):
    source = (
        "from torch import nn\n"
        "class f(nn.Module):\n"
        "    def __init__(self, d):\n"
        "        super().__init__()\n"
        "        self.proj = nn.Linear(d, 2)\n"
        "        self.name = 'mine'\n"
        "    def forward(self, x):\n"
        "        return self.proj(x), self.training"
    )
    module = answer(session, source)(3)
    twin = nn.Linear(3, 2)
    module.load_state_dict({f"proj.{key}": value for key, value in twin.state_dict().items()})
    x = torch.randn(4, 3)
    output, training = module.eval()(x)
    assert torch.allclose(output, twin(x))
    assert training is False
    assert module.train()(x)[1] is True
    assert [name for name, _ in module.named_parameters()] == ["proj.weight", "proj.bias"]
    assert torch.equal(module.state_dict()["proj.bias"], twin.bias.detach())
    assert torch.equal(attribute("f", module, "proj.weight"), twin.weight.detach())
    assert module.name == "mine"
    with pytest.raises(Finding, match=r"has no pe: assign self\.pe"):
        attribute("f", module, "pe")
    assert type(module).__name__ == "f"


def test_a_function_of_the_examiners_can_be_called_back(session):
    test = answer(
        session,
        "import torch\n"
        "def f(implementation):\n"
        "    x = torch.randn(3, 4)\n"
        "    assert torch.allclose(implementation(x, dim=1).sum(1), torch.ones(3)), 'rows'",
    )
    assert not run_test("f", test, torch.softmax).alarm
    assert run_test("f", test, lambda x, dim: torch.softmax(x, 0)).alarm
    broken = run_test("f", test, lambda x, dim: x @ x)
    assert broken.alarm
    assert "RuntimeError" in broken.message


class Model(nn.Module):
    """A model of an exam's, which notes how it is used."""

    callback_methods = ("encode",)

    def __init__(self):
        super().__init__()
        self.seen = []

    def forward(self, x):
        self.seen.append((self.training, torch.is_grad_enabled()))
        return x + 1

    def encode(self, x):
        return 2 * x

    def secret(self):
        return 42


def test_a_module_can_be_called_back_by_its_methods_in_its_mode(session):
    function = answer(
        session,
        "import torch\n"
        "def f(model, x):\n"
        "    model.eval()\n"
        "    with torch.no_grad():\n"
        "        y = model(model.encode(x))\n"
        "    model.train()\n"
        "    return y, hasattr(model, 'secret'), isinstance(model, torch.nn.Module)",
    )
    model = Model()
    model.eval()
    y, secret, is_module = call("f", function, [model, torch.ones(2)])
    assert y.tolist() == [3, 3]
    assert (secret, is_module) == (False, True)
    assert model.seen == [(False, False)]
    assert model.training


def test_a_greedy_callback_costs_only_its_own_test(session):
    test = answer(session, "import torch\ndef f(implementation):\n    implementation(torch.ones(2_000_000))")
    outcome = run_test("f", test, lambda x: x)
    assert "at most 1,000,000 numbers" in outcome.message
    test = answer(session, "import torch\ndef f(implementation):\n    implementation(torch.ones(900_000))")
    outcome = run_test("f", test, lambda x: x[:, None] * x[None])
    assert outcome.alarm
    assert "allocate" in outcome.message


def test_an_endless_call_is_given_up(session):
    function = answer(session, "def f(x):\n    while True:\n        try:\n            pass\n        except: pass")
    with pytest.raises(Lost, match="did not return within 3 s"):
        call("f", function, [1])
    with pytest.raises(Lost, match="did not return within 3 s"):
        session.look_up("f")


def test_a_kernel_that_ends_is_noticed(session):
    with pytest.raises(Lost, match="ended the kernel"):
        session.run("import os; os._exit(0)")


def test_output_is_cut_and_the_cell_goes_on(session):
    outputs = session.run("for _ in range(300): print('x' * 10_000)\nf = 1")
    assert sum(len(output.text) for output in outputs) < 1.1 * MOST_CHARACTERS
    assert "the output was cut here" in outputs[-1].text
    assert session.look_up("f") == (True, 1)


def test_displays_can_be_updated_and_cleared(session):
    outputs = session.run(
        "from IPython.display import display, clear_output\n"
        "print('gone'); clear_output()\n"
        "handle = display('first', display_id=True); handle.update('second')"
    )
    assert [output.data["text/plain"] for output in outputs] == ["'second'"]


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("%matplotlib inline\nprint('drawn')", "drawn\n"),
        ("import asyncio\nprint(await asyncio.sleep(0, 'awaited'))", "awaited\n"),
        ("!echo from the shell", "from the shell\r\n"),
        ("said = !echo assigned\nprint(said[0])", "assigned\n"),
        ("\n    print('indented')", "indented\n"),
        ("print(get_ipython().run_line_magic('pwd', ''))", "/home/student\n"),
        ("import threading\nt = threading.Thread(target=print, args=('aside',))\nt.start(); t.join()", "aside\n"),
        ("import os, sys\nif os.fork() == 0:\n    print('child'); os._exit(0)\nos.wait(); print('parent')", "parent\n"),
        ("import sys\nsys.stdout.write('no line end')\nexit()", "no line end"),
        ("import ipywidgets\nwith ipywidgets.Output():\n    print('in a widget')", "in a widget\n"),
        ("import subprocess\nprint(subprocess.run(['echo', 'a'], capture_output=True).stdout)", "b'a\\n'\n"),
    ],
)
def test_a_notebook_finds_what_notebooks_have(session, source, shown):
    outputs = session.run(source)
    assert [output.text for output in outputs if output.output_type == "stream"] == [shown]
    assert session.run("1 + 1")[0].data["text/plain"] == "2"


def test_a_kernel_begins_with_nothing_of_the_zygotes(session):
    session.run("names = {name for name in globals() if not name.startswith('_')}")
    assert session.look_up("names") == (True, {"In", "Out", "exit", "get_ipython", "open", "quit"})
    (output,) = session.run("1 + 1")
    assert output.execution_count == 2
    assert session.run("(_, __, ___, len(Out))")[0].data["text/plain"] == "(2, '', '', 1)"


def test_a_notebook_can_change_how_its_cells_are_read(session):
    session.run(
        "def louder(lines): return [line.replace('quiet', 'LOUD') for line in lines]\n"
        "get_ipython().input_transformers_cleanup.append(louder)"
    )
    assert session.run("'quiet'")[0].data["text/plain"] == "'LOUD'"


def test_nobody_types_an_answer(session):
    (output,) = session.run("input('name? ')")
    assert "nobody is there to type" in output.evalue


def test_figures_of_a_student_are_shown(session):
    outputs = session.run("import matplotlib.pyplot as plt\nplt.plot([1, 2])")
    assert "image/png" in outputs[-1].data


def test_memory_is_bounded(session):
    outputs = session.run("import torch\nblocks = [torch.empty(100_000_000) for _ in range(20)]")
    assert outputs[-1].output_type == "error"
    assert "allocate" in outputs[-1].evalue


@pytest.mark.parametrize(
    "lie",
    [
        "return [b'{']",
        "return [b'[\"l\"]']",
        "return []",
        "return [b'[' * 100_000]",
        "return [b'{\"value\": 1}']",
        "return None",
        "raise SystemExit",
        "return [b'x' * 50_000_000]",
    ],
)
def test_an_agent_that_lies_gets_a_finding(session, lie):
    """The student's code can replace everything in its own process; whatever it says is refused or compared."""
    function = answer(session, "def f(x): return x")
    session.run(f"from sandbox.inside.agent import Agent\ndef answer(self, frames):\n    {lie}\nAgent.answer = answer")
    with pytest.raises(Finding):
        call("f", function, [1])


def test_the_sandbox_shows_the_student_edition_alone(session):
    outputs = session.run(
        "import importlib, os\n"
        "found = []\n"
        "for name in ('autograder', 'course_lib.nn.attention', 'course_lib.nn.blocks', 'solutions'):\n"
        "    try:\n"
        "        importlib.import_module(name)\n"
        "        found.append(name)\n"
        "    except ImportError as error:\n"
        "        print(error)\n"
        "f = [found, sorted(os.environ), os.listdir('/run/sockets'), os.listdir('/tmp'), os.listdir('/home')]"
    )
    assert "holds answers of unit 01" in outputs[0].text
    found, environment, sockets, temporary, homes = session.look_up("f")[1]
    assert (found, sockets, temporary, homes) == ([], [], [], ["student"])
    assert not {"COURSE_SEED", "USERNAME", "SSH_AUTH_SOCK", "VIRTUAL_ENV"} & set(environment)


@pytest.mark.parametrize("ends", [lambda zygote: zygote._process.kill(), lambda zygote: None])
def test_who_went_down_with_the_sandbox_is_not_to_blame(ends):
    zygote = Zygote(UNIT, "bwrap")
    with closing(zygote), closing(Session(zygote.start_kernel(), LIMITS, time.monotonic() + 600)) as session:
        ends(zygote)
        with pytest.raises(Lost):
            session.run("import os, time\ntime.sleep(1)\nos._exit(0)")
        assert session.sandbox_ended == (zygote._process.poll() is not None)
