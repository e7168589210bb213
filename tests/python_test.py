#!/usr/bin/env python3
"""python_test.py AGPUSIM: the Python module against the program."""
import array
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))
import agpusim  # noqa: E402


def printed(*arguments):
    return json.loads(subprocess.run([os.environ["AGPUSIM"], *arguments, "--json"], capture_output=True, check=True).stdout)


class Module(unittest.TestCase):
    def test_functions_return_what_commands_print(self):
        machine = ["--b", "16", "--p", "64", "--M", "1024"]
        self.assertEqual(agpusim.run("bitonic_sort", n=2**12, b=16, p=64, M=1024, set={"tile": 512}),
                         printed("run", "bitonic_sort", "--n", "4096", *machine, "--set", "tile=512"))
        self.assertEqual(agpusim.pram("sum", n=100, model="sum"), printed("pram", "sum", "--n", "100", "--model", "sum"))
        self.assertEqual(agpusim.sweep("scan", "reduce", n=[1000, 2000], b=[16, 32]),
                         printed("sweep", "scan", "reduce", "--n", "1000,2000", "--b", "16,32"))
        self.assertEqual(agpusim.algorithms(), printed("list")["algorithms"])
        self.assertEqual(agpusim.bounds(n=2**20), printed("bounds", "--n", "1048576"))
        self.assertEqual(agpusim.predict("transpose", n=2**20, variant="naive"),
                         printed("why", "transpose", "--n", "1048576", "--variant", "naive"))
        self.assertEqual(agpusim.compare("bitonic_sort", "rank_sort", n=1024)["machines"],
                         printed("compare", "bitonic_sort", "rank_sort", "--n", "1024")["machines"])
        self.assertEqual(agpusim.analyze(algorithm="reduce")["scores"], printed("analyze", "--algorithm", "reduce", "--no-html")["scores"])

    def test_options(self):
        self.assertEqual(agpusim.run("vector_add", n=64, no_checks=True, by_line=False, seed=None),
                         printed("run", "vector_add", "--n", "64", "--no-checks"))
        sizes = array.array("q", [1000, 2000])  # as of numpy: neither list nor tuple
        self.assertEqual(agpusim.sweep("scan", n=sizes), printed("sweep", "scan", "--n", "1000,2000"))
        files = sorted((ROOT / "validation/data/h200/analysis").glob("timings*.jsonl"))[:2]
        self.assertEqual(agpusim.predict("reduce", n=2**20, records=files),
                         printed("why", "reduce", "--n", "1048576", "--records", *map(str, files)))

    def test_errors_have_the_command_s_text(self):
        done = subprocess.run([os.environ["AGPUSIM"], "run", "vector_ad", "--n", "64", "--json"], capture_output=True, text=True)
        with self.assertRaises(agpusim.Error) as raised:
            agpusim.run("vector_ad", n=64)
        self.assertEqual("agpusim: error: " + str(raised.exception), done.stderr.strip())
        self.assertEqual(raised.exception.code, done.returncode)

    def test_a_missing_program_is_named(self):
        kept = os.environ.pop("AGPUSIM"), os.environ["PATH"]
        os.environ["PATH"] = "/nowhere"
        try:
            with self.assertRaisesRegex(agpusim.Error, "not on the PATH"):
                agpusim.run("vector_add", n=64)
        finally:
            os.environ["AGPUSIM"], os.environ["PATH"] = kept

    def test_records(self):
        files = sorted((ROOT / "validation/data").rglob("times*.jsonl"))
        self.assertEqual(agpusim.records(files[0]), [json.loads(line) for line in files[0].read_text().splitlines()])

    def test_calls_of_several_threads(self):
        results = [None] * 4
        threads = [threading.Thread(target=lambda i=i: results.__setitem__(i, agpusim.run("reduce", n=1000 + i)["Q"])) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, [printed("run", "reduce", "--n", str(1000 + i))["Q"] for i in range(4)])

    def test_control_c_ends_the_call(self):
        """A run of minutes; the signal is sent once the run says how far it is. It counts also where
        the tests run in the background, which ignores it."""
        script = ("import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
                  "import agpusim; agpusim.run('rank_sort', n=2**18, variant='global')")
        with subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.PIPE, text=True, start_new_session=True,
                              env=dict(os.environ, PYTHONPATH=str(ROOT / "python"))) as call:
            call.stderr.readline()
            os.killpg(call.pid, signal.SIGINT)
            rest = call.stderr.read()
        self.assertIn("KeyboardInterrupt", rest)

    def test_notebook(self):
        """Its cells; the one that draws where matplotlib is installed."""
        variables = {}
        for cell in json.loads((ROOT / "docs/three_sorts.ipynb").read_text())["cells"]:
            source = "".join(cell["source"])
            if cell["cell_type"] != "code":
                continue
            try:
                exec(source, variables)
            except ModuleNotFoundError as missing:
                self.assertEqual(missing.name, "matplotlib")
                print("not drawn: matplotlib is not installed")
        for sort, points in variables["series"].items():
            name, _, variant = sort.partition(":")
            first = points[0]
            alone = printed("run", name, "--n", str(first["n"]), "--p", "1024", "--b", "32", "--M", "2048",
                            *(["--variant", variant] if variant else []))
            self.assertEqual((first["T"], first["Q"]), (alone["T"], alone["Q"]))


if __name__ == "__main__":
    os.environ["AGPUSIM"] = str(pathlib.Path(sys.argv.pop(1)).resolve())
    os.environ["MPLBACKEND"] = "Agg"
    unittest.main()
