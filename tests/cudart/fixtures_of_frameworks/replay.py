#!/usr/bin/env python3
"""Loads PTX that Triton, CuPy, JAX and Numba made, launches it as they did and compares with what an H200 left.

  agpusim exec -- python3 replay.py [NAME...]    on the simulator; python3 replay.py [NAME...]: on a GPU

fixtures.json has for each case buffers (kind, count, seed; null: zeros), launches and results. A parameter is a list of
parts: bytes in hexadecimal digits, or a buffer and an offset. A result is the SHA-256 of a buffer, or a sample of its
floats, every so many, of which each may differ by so many ulp, or units. A case that is refused runs where it is named.
"""

import array
import base64
import ctypes
import hashlib
import json
import math
import pathlib
import struct
import sys

FOLDER = pathlib.Path(__file__).parent
BYTES = {"f32": 4, "f16": 2, "i32": 4, "u8": 1}
MOST_DYNAMIC_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
DRIVER = ctypes.CDLL("libcuda.so.1")


class Failed(Exception):
    """A call of the driver has failed."""


def call(function, *arguments):
    status = getattr(DRIVER, function)(*arguments)
    if status != 0:
        name = ctypes.c_char_p()
        DRIVER.cuGetErrorName(status, ctypes.byref(name))
        raise Failed(f"{function}: {(name.value or b'?').decode()}")


def values(kind, count, seed):
    """Numbers that an integer hash gives: floats are small multiples of a power of two, integers bytes."""
    result = bytearray()
    for i in range(count):
        number = (i * 2654435761 + seed * 40503 + 12345) & 0xFFFFFFFF
        number ^= number >> 15
        if kind == "f32":
            result += struct.pack("<f", ((number >> 16) - 32768) / 8192)
        elif kind == "f16":
            result += struct.pack("<e", ((number >> 24) - 128) / 64)
        else:
            result += struct.pack("<i", number >> 24)
    return bytes(result)


class Buffer:
    """Memory of the device."""

    def __init__(self, kind, count, seed):
        content = bytes(count * BYTES[kind]) if seed is None else values(kind, count, seed)
        self.bytes = ctypes.c_size_t(len(content))
        self.address = ctypes.c_uint64()
        call("cuMemAlloc_v2", ctypes.byref(self.address), self.bytes)
        call("cuMemcpyHtoD_v2", self.address, content, self.bytes)

    def content(self):
        result = ctypes.create_string_buffer(self.bytes.value)
        call("cuMemcpyDtoH_v2", result, self.address, self.bytes)
        return result.raw


def launch(row, buffers):
    def bytes_of(part):
        return bytes.fromhex(part) if isinstance(part, str) else struct.pack("<Q", buffers[part[0]].address.value + part[1])

    module, kernel = ctypes.c_void_p(), ctypes.c_void_p()
    call("cuModuleLoadData", ctypes.byref(module), (FOLDER / row["ptx"]).read_bytes() + b"\0")
    call("cuModuleGetFunction", ctypes.byref(kernel), module, row["kernel"].encode())
    call("cuFuncSetAttribute", kernel, MOST_DYNAMIC_SHARED, row["shared"])
    parameters = [ctypes.create_string_buffer(b"".join(map(bytes_of, parts))) for parts in row["parameters"]]
    pointers = (ctypes.c_void_p * len(parameters))(*map(ctypes.addressof, parameters))
    call("cuLaunchKernel", kernel, *row["grid"], *row["block"], row["shared"], None, pointers, None)
    call("cuCtxSynchronize")


def judge(result, content):
    """What is wrong with the bytes; empty: nothing."""
    if "sha256" in result:
        return "" if hashlib.sha256(content).hexdigest() == result["sha256"] else "other bytes than on an H200"
    wanted = array.array("f", base64.b64decode(result["sample"]))
    got = array.array("f", content)[:: result["every"]]
    apart = [abs(a - b) / result.get("unit", math.ldexp(1, math.frexp(a)[1] - 24)) for a, b in zip(wanted, got, strict=True)]
    wrong = [each for each in apart if not each <= result["ulps"]]
    return f"{len(wrong)} of {len(apart)} differ, by {max(wrong):g} ulp at most" if wrong else ""


def run(case):
    buffers = [Buffer(*each) for each in case["buffers"]]
    for row in case["launches"]:
        launch(row, buffers)
    return "; ".join(filter(None, (judge(each, buffers[each["buffer"]].content()) for each in case["results"])))


def main(*names):
    context = ctypes.c_void_p()
    call("cuInit", 0)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
    call("cuCtxSetCurrent", context)
    failed = 0
    for case in json.loads((FOLDER / "fixtures.json").read_text()):
        if case["name"] not in names if names else "refused" in case:
            continue
        try:
            what = run(case)
        except Failed as error:
            what = str(error)
        failed += what != ""
        print(f"{case['name']}: {what or 'as on an H200'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
