"""A kernel provisioner: jupyter_client, and all that stands on it, gets its kernels from a zygote."""

import json
from pathlib import Path
from typing import Any

from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import KernelManager
from jupyter_client.provisioning import KernelProvisionerBase
from traitlets import Unicode

from autograder.course import Unit, find_unit
from autograder.examiner.zygotes import WarmKernel, zygote

NAME = "transformer-course"  # the entry point
PORTS = ("shell", "iopub", "stdin", "control", "hb")


class WarmProvisioner(KernelProvisionerBase):
    """`unit` and `sandbox` come from the kernelspec."""

    unit = Unicode(config=True)
    sandbox = Unicode("bwrap", config=True)
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
        manager.transport, manager.ip = "ipc", str(self._folder / "k")
        for number, name in enumerate(PORTS, 1):
            setattr(manager, f"{name}_port", number)
        kwargs.pop("extra_arguments", None)
        return await super().pre_launch(cmd=[], **kwargs)

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> dict[str, Any]:
        info = self.parent.get_connection_info()
        plain = {key: value.decode() if isinstance(value, bytes) else value for key, value in info.items()}
        self.kernel = self._zygote.start_kernel(self._folder, plain)
        self.connection_info = info
        return info

    async def cleanup(self, restart: bool = False) -> None:
        await self.kill(restart)


def install_kernelspec(data: Path, unit: Unit, sandbox: str) -> str:
    """Write the kernelspec of a unit into a folder of Jupyter data, and return its name."""
    name = f"examinee_{unit.id}"
    folder = data / "kernels" / name
    folder.mkdir(parents=True, exist_ok=True)
    provisioner = {"provisioner_name": NAME, "config": {"unit": unit.id, "sandbox": sandbox}}
    spec = {
        "argv": ["python"],
        "display_name": f"Unit {unit.id}, sealed",
        "language": "python",
        "metadata": {"kernel_provisioner": provisioner},
    }
    (folder / "kernel.json").write_text(json.dumps(spec, indent=1), "utf-8")
    return name


def kernel_manager(data: Path, name: str) -> KernelManager:
    """A manager of the kernel of that name, wherever the user's own kernels are."""
    specs = KernelSpecManager(kernel_dirs=[str(data / "kernels")])
    return KernelManager(kernel_name=name, kernel_spec_manager=specs)
