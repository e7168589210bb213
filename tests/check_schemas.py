#!/usr/bin/env python3
"""check_schemas.py AGPUSIM FAKE_DEVICE [NAME] [--printed FOLDER]: runs the commands that each schema of
docs/reference/schemas names in its $comment (of NAME only, for example "measure") and validates what they print. {tmp} is a
folder for files; "fake_device ..." is FAKE_DEVICE, which has the commands that need a GPU. What FOLDER has as COMMAND.json is
not run again. Exit code 77: the Python package jsonschema is not installed."""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("skipped: Python's jsonschema is not installed")
    sys.exit(77)

parser = argparse.ArgumentParser()
parser.add_argument("agpusim")
parser.add_argument("fake_device")
parser.add_argument("name", nargs="?", default="*")
parser.add_argument("--printed", type=pathlib.Path, default=pathlib.Path("/nowhere"))
options = parser.parse_args()
ROOT = pathlib.Path(__file__).resolve().parent.parent
folder = ROOT / "docs" / "reference" / "schemas"
failed = 0
checked = 0
temporary = tempfile.TemporaryDirectory()
paths = sorted(folder.glob(f"{options.name}.schema.json"))
for path in paths:
    schema = json.loads(path.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    name = path.name.removesuffix(".schema.json")
    own = subprocess.run([options.agpusim, "schema", name], capture_output=True, text=True, check=True).stdout
    if own != path.read_text():
        failed += 1
        print(f"{path.name}: `agpusim schema {name}` prints something else")
    validator = jsonschema.Draft202012Validator(schema)
    for command in schema["$comment"].split(" | "):
        words = command.replace("{tmp}", temporary.name).split()
        fake = words[0] == "fake_device"
        program = [options.fake_device, *words[1:]] if fake else [options.agpusim, *words]
        known = options.printed / f"{command.removesuffix(' --json')}.json"
        if known.exists():
            printed = known.read_text()
        else:
            printed = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        checked += 1
        errors = list(validator.iter_errors(json.loads(printed)))
        for error in errors[:5]:
            print(f"{path.name}: `agpusim {command}`: {error.json_path}: {error.message[:300]}")
        # A ruler: an unknown member must be found.
        if validator.is_valid({**json.loads(printed), "unknown member": 1}):
            errors.append("accepts anything")
            print(f"{path.name}: accepts an unknown member")
        failed += bool(errors)
print(f"{checked} outputs checked against {len(paths)} schemas, {failed} differ")
sys.exit(failed > 0)
