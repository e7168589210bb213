#!/usr/bin/env python3
"""check_schemas.py AGPUSIM [NAME]: runs the commands that each schema of docs/reference/schemas names in its $comment
and validates what they print. Exit code 77: the Python package jsonschema is not installed."""
import json
import pathlib
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: Python's jsonschema is not installed")
    sys.exit(77)

folder = pathlib.Path(__file__).resolve().parent.parent / "docs" / "reference" / "schemas"
failed = 0
checked = 0
for path in sorted(folder.glob("*.schema.json")):
    schema = json.loads(path.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for command in schema["$comment"].split(" | "):
        printed = subprocess.run([sys.argv[1], *command.split()], capture_output=True, text=True, check=True).stdout
        checked += 1
        errors = list(validator.iter_errors(json.loads(printed)))
        for error in errors[:5]:
            print(f"{path.name}: `agpusim {command}`: {error.json_path}: {error.message[:300]}")
        # A ruler: an unknown member must be found.
        if validator.is_valid({**json.loads(printed), "unknown member": 1}):
            errors.append("accepts anything")
            print(f"{path.name}: accepts an unknown member")
        failed += bool(errors)
print(f"{checked} outputs checked against {len(list(folder.glob('*.schema.json')))} schemas, {failed} differ")
sys.exit(failed > 0)
