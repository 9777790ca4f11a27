"""A jupyter_client kernel provisioner: gives nbconvert and other programs sandboxed kernels from a zygote."""

import json
from pathlib import Path
from typing import Any

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning import KernelProvisionerBase
from traitlets import Enum, Unicode

from autograder.course.units import Unit, find_unit
from autograder.sandbox.command import SANDBOXES
from autograder.sandbox.kernel_process import WarmKernel
from autograder.sandbox.zygote_pool import zygote

NAME = "transformer-course"  # as the entry point in pyproject.toml
PORTS = ("shell", "iopub", "stdin", "control", "hb")


class WarmProvisioner(KernelProvisionerBase):
    """Forks kernels from a unit's zygote; `unit` and `sandbox` come from the kernelspec."""

    unit = Unicode(help="Number of the unit, such as 01, whose library the kernel can import.").tag(config=True)
    sandbox = Enum(SANDBOXES, "bwrap", help="Where kernels run: in bubblewrap, or with no sandbox.").tag(config=True)
    kernel: WarmKernel | None = None

    @property
    def has_process(self) -> bool:
        return self.kernel is not None

    async def poll(self) -> int | None:
        if self.kernel is None:
            return 0
        return None if self.kernel.alive() else 1

    async def wait(self) -> int | None:
        if self.kernel is not None:
            self.kernel.wait()
            self.kernel = None
        return 0

    async def send_signal(self, signum: int) -> None:
        if self.kernel is not None:
            self.kernel.send_signal(signum)

    async def kill(self, restart: bool = False) -> None:
        if self.kernel is not None:
            self.kernel.kill()

    async def terminate(self, restart: bool = False) -> None:
        await self.kill(restart)

    async def pre_launch(self, **kwargs: Any) -> dict[str, Any]:
        self._zygote = zygote(find_unit(self.unit), self.sandbox)
        self._folder = self._zygote.new_folder()
        manager = self.parent
        assert manager is not None
        manager.transport, manager.ip = "ipc", str(self._folder / "k")
        for number, name in enumerate(PORTS, 1):
            setattr(manager, f"{name}_port", number)
        kwargs.pop("extra_arguments", None)
        return await super().pre_launch(cmd=[], **kwargs)

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        assert self.parent is not None
        info: KernelConnectionInfo = self.parent.get_connection_info()
        plain = {key: value.decode() if isinstance(value, bytes) else value for key, value in info.items()}
        self.kernel = self._zygote.start_kernel(self._folder, plain)
        self.connection_info = info
        return info

    async def cleanup(self, restart: bool = False) -> None:
        await self.kill(restart)


def install_kernelspec(data: Path, unit: Unit, sandbox: str) -> None:
    """Write a unit's kernelspec into a Jupyter data folder, for nbconvert and other programs that run notebooks."""
    folder = data / "kernels" / kernel_name(unit)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "kernel.json").write_text(json.dumps(_spec(unit, sandbox), indent=1), "utf-8")


def kernel_name(unit: Unit) -> str:
    return f"examinee_{unit.id}"  # class directories hold this name


def _spec(unit: Unit, sandbox: str) -> dict[str, object]:
    provisioner = {"provisioner_name": NAME, "config": {"unit": unit.id, "sandbox": sandbox}}
    return {
        "argv": ["python"],
        "display_name": f"Unit {unit.id}, sealed",
        "language": "python",
        "metadata": {"kernel_provisioner": provisioner},
    }
