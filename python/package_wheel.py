"""Builds the wheel of the module with the program in it, and the sdist: what `pip install ./python` and `pip wheel` call (PEP 517)."""

import base64
import hashlib
import io
import os
import pathlib
import re
import subprocess
import sysconfig
import tarfile
import tempfile
import zipfile

TREE = pathlib.Path(__file__).resolve().parent.parent
METADATA = """Metadata-Version: 2.1
Name: agpusim
Version: {version}
Summary: {title}
Author: {author}
License: {license}
License-File: LICENSE
{address}Keywords: CUDA,PTX,GPU,PRAM,simulation,performance
Classifier: Intended Audience :: Science/Research
Classifier: License :: OSI Approved :: Apache Software License
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Classifier: Typing :: Typed
Requires-Python: >=3.9
Provides-Extra: pandas
Requires-Dist: pandas; extra == "pandas"
Provides-Extra: plot
Requires-Dist: matplotlib; extra == "plot"
Description-Content-Type: text/markdown

{readme}"""
WHEEL = "Wheel-Version: 1.0\nGenerator: agpusim\nRoot-Is-Purelib: false\nTag: {}\n"
SCRIPTS = "[console_scripts]\nagpusim = agpusim.program:become\n"
# The program, its data and documents, the CUDA runtime of `exec`, and what `new` builds with: headers, libraries, the CMake package.
FOLDERS = ("bin", "share/agpusim", "share/doc", "include", "lib/agpusim", "lib/cmake")
PORTABLE = ["-DCMAKE_BUILD_TYPE=Release", "-DAGPUSIM_ARCH=", "-DAGPUSIM_BUILD_TESTS=OFF", "-DAGPUSIM_CUDA=OFF", "-DAGPUSIM_MPI=OFF"]


def _read(name):
    return (TREE / name).read_text(encoding="utf-8")


def _metadata(version):
    cited = dict(re.findall(r'^(?:  - )?([\w-]+): +"?(.*?)"?$', _read("CITATION.cff"), re.MULTILINE))
    address = f"Project-URL: Source, {cited['repository-code']}\n" if "repository-code" in cited else ""
    return METADATA.format(version=version, title=cited["title"], author=cited["name"], license=cited["license"], address=address,
                           readme=_read("docs/reference/python.md"))


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
        files = {f"agpusim/{file.name}": file for file in sorted((TREE / "python/agpusim").iterdir()) if file.is_file()}
        for file in [*installed.glob("lib/*.a"), *(file for each in FOLDERS for file in sorted((installed / each).rglob("*")))]:
            if file.is_file():
                files[f"agpusim/installed/{file.relative_to(installed)}"] = file
        about = f"agpusim-{version}.dist-info/"
        texts = {"METADATA": _metadata(version), "WHEEL": WHEEL.format(tag), "entry_points.txt": SCRIPTS, "LICENSE": _read("LICENSE")}
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


def build_sdist(sdist_directory, config_settings=None):
    """Writes the tree as git has it, from which the program can be built, and returns the file's name."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=TREE, capture_output=True, text=True, check=False)
    if listed.returncode != 0:
        raise SystemExit("the sdist of agpusim is made in a git clone: " + listed.stderr.strip())
    version = re.search(r"project\(agpusim VERSION (\S+)", _read("CMakeLists.txt"))[1]
    root = f"agpusim-{version}"
    project = _read("python/pyproject.toml").replace('backend-path = ["."]', 'backend-path = ["python"]')
    with tarfile.open(pathlib.Path(sdist_directory, root + ".tar.gz"), "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for name in filter(None, listed.stdout.split("\0")):
            if (TREE / name).exists():
                archive.add(TREE / name, f"{root}/{name}", recursive=False)
        for name, text in (("PKG-INFO", _metadata(version)), ("pyproject.toml", project)):
            entry = tarfile.TarInfo(f"{root}/{name}")
            entry.size, entry.mode = len(text.encode()), 0o644
            archive.addfile(entry, io.BytesIO(text.encode()))
    return root + ".tar.gz"
