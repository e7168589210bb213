"""Builds the wheel of the module, with the program in it: what `pip install ./python` and `pip wheel ./python` call (PEP 517)."""

import base64
import hashlib
import os
import pathlib
import subprocess
import sysconfig
import tempfile
import zipfile

TREE = pathlib.Path(__file__).resolve().parent.parent
METADATA = """Metadata-Version: 2.1
Name: agpusim
Version: {}
Summary: agpusim from Python: CUDA programs without a GPU, and parallel algorithms on abstract machines
Requires-Python: >=3.9
"""
WHEEL = "Wheel-Version: 1.0\nGenerator: agpusim\nRoot-Is-Purelib: false\nTag: {}\n"
SCRIPTS = "[console_scripts]\nagpusim = agpusim.program:become\n"
FOLDERS = ("share/agpusim", "include/agpusim", "lib/agpusim")  # data, headers for answers to exercises, the CUDA runtime of `exec`
PORTABLE = ["-DCMAKE_BUILD_TYPE=Release", "-DAGPUSIM_ARCH=", "-DAGPUSIM_BUILD_TESTS=OFF", "-DAGPUSIM_CUDA=OFF", "-DAGPUSIM_MPI=OFF"]


def _cmake(*arguments):
    try:
        subprocess.run(["cmake", *map(str, arguments)], check=True)
    except FileNotFoundError:
        raise SystemExit("the wheel of agpusim brings the program, which cmake builds and installs: install cmake") from None


def _install(folder):
    """Installs the build folder that AGPUSIM_BUILD names, else build/release, else one made here for every processor."""
    build = os.environ.get("AGPUSIM_BUILD") or TREE / "build/release"
    if build == TREE / "build/release" and not (build / "agpusim").exists():
        build = TREE / "build/wheel"
        _cmake("-S", TREE, "-B", build, *PORTABLE)
        _cmake("--build", build, "--parallel", os.cpu_count())
    _cmake("--install", build, "--prefix", folder, "--strip")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Writes the wheel and returns its name."""
    with tempfile.TemporaryDirectory() as folder:
        installed = pathlib.Path(folder)
        _install(installed)
        program = installed / "bin/agpusim"
        version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]
        tag = "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")
        files = {f"agpusim/{file.name}": file for file in (TREE / "python/agpusim").glob("*.py")}
        for file in [program, *(file for folder in FOLDERS for file in (installed / folder).rglob("*"))]:
            if file.is_file():
                files[f"agpusim/installed/{file.relative_to(installed)}"] = file
        about = f"agpusim-{version}.dist-info/"
        texts = {"METADATA": METADATA.format(version), "WHEEL": WHEEL.format(tag), "entry_points.txt": SCRIPTS}
        texts = {about + name: text for name, text in texts.items()}
        return _write(pathlib.Path(wheel_directory, f"agpusim-{version}-{tag}.whl"), files, texts, about + "RECORD")


def _write(wheel, files, texts, record):
    lines = []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, file in files.items():
            archive.write(file, name)  # with its mode
            lines.append(_line(name, file.read_bytes()))
        for name, text in texts.items():
            archive.writestr(name, text)
            lines.append(_line(name, text.encode()))
        archive.writestr(record, "".join(lines) + f"{record},,\n")
    return wheel.name


def _line(name, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
    return f"{name},sha256={digest},{len(content)}\n"
