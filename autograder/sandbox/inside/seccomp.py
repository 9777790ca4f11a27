"""A seccomp filter that refuses system calls whose memory or keys would outlive the process or escape its limits."""

import ctypes
import platform

from .namespaces import call, libc

# memfd_create, memfd_secret, shmget, msgget, add_key, request_key, keyctl, userfaultfd, io_uring_setup, bpf,
# perf_event_open, ptrace; then mmap, refused only for memory that is shared and of no file
_NUMBERS = {
    "x86_64": (0xC000003E, (319, 447, 29, 68, 248, 249, 250, 323, 425, 321, 298, 101), 9),
    "aarch64": (0xC00000B7, (279, 447, 194, 186, 217, 218, 219, 282, 425, 280, 241, 117), 222),
}
_SHARED_ANONYMOUS = 0x01 | 0x20
_OTHER_ABI = 0x40000000  # numbers from here on are those of the x32 ABI on x86_64
_LOAD, _AND, _IF_EQUAL, _IF_AT_LEAST, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x06
_NUMBER, _MACHINE, _FLAGS_OF_MMAP = 0, 4, 16 + 3 * 8  # offsets in struct seccomp_data
_ALLOW, _NOT_PERMITTED = 0x7FFF0000, 0x00050001  # SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO with EPERM
_PR_SET_SECCOMP, _FILTER = 22, 2


class _Instruction(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint16), ("yes", ctypes.c_uint8), ("no", ctypes.c_uint8), ("k", ctypes.c_uint32)]


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_uint16), ("instructions", ctypes.POINTER(_Instruction))]


def can_refuse() -> bool:
    """Whether the system call numbers of this architecture are known."""
    return platform.machine() in _NUMBERS


def refuse_system_calls() -> None:
    """Make the calls fail with EPERM here and in every child; does nothing on an architecture that is not known."""
    if not can_refuse():
        return
    machine, refused, mmap = _NUMBERS[platform.machine()]
    to_refusal = len(refused) + 5  # BPF jumps count the instructions to skip
    steps = [
        (_LOAD, 0, 0, _MACHINE),
        (_IF_EQUAL, 0, to_refusal + 2, machine),
        (_LOAD, 0, 0, _NUMBER),
        (_IF_AT_LEAST, to_refusal, 0, _OTHER_ABI),
        *((_IF_EQUAL, to_refusal - 1 - place, 0, number) for place, number in enumerate(refused)),
        (_IF_EQUAL, 0, 3, mmap),
        (_LOAD, 0, 0, _FLAGS_OF_MMAP),
        (_AND, 0, 0, _SHARED_ANONYMOUS),
        (_IF_EQUAL, 1, 0, _SHARED_ANONYMOUS),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _NOT_PERMITTED),
    ]
    instructions = (_Instruction * len(steps))(*(_Instruction(*step) for step in steps))
    call(libc.prctl, _PR_SET_SECCOMP, _FILTER, ctypes.byref(_Program(len(steps), instructions)), 0, 0)
