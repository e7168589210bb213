#!/usr/bin/env python3
"""python_test.py AGPUSIM: the Python module against the program."""
import array
import ast
import html
import importlib.util
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))
import agpusim  # noqa: E402


HAS_PANDAS = importlib.util.find_spec("pandas") is not None
HAS_MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None
HAS_PIP = importlib.util.find_spec("pip") is not None


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
        self.assertEqual(agpusim.step("reduce", n=8, b=4, M=64), printed("step", "reduce", "--n", "8", "--b", "4", "--M", "64"))
        self.assertEqual(agpusim.pipeline("scan", n=10**8, budget="3GB"),
                         printed("pipeline", "scan", "--n", "100000000", "--budget", "3GB"))
        self.assertEqual(agpusim.analyze(algorithm="reduce")["scores"], printed("analyze", "--algorithm", "reduce")["scores"])

    def test_options(self):
        self.assertEqual(agpusim.run("vector_add", n=64, no_checks=True, by_line=False, seed=None),
                         printed("run", "vector_add", "--n", "64", "--no-checks"))
        sizes = array.array("q", [1000, 2000])  # as of numpy: neither list nor tuple
        self.assertEqual(agpusim.sweep("scan", n=sizes), printed("sweep", "scan", "--n", "1000,2000"))
        files = sorted((ROOT / "validation/data/h200/earlier").glob("timings*.jsonl"))[:2]
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

    def test_version(self):
        cmake = re.search(r"project\(agpusim VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
        self.assertEqual(agpusim.__version__.partition("+")[0], cmake)
        self.assertFalse(hasattr(agpusim, "version"))

    def test_rows_repeat_what_is_around_them(self):
        result = agpusim.compare("scan:sum", "scan:blelloch", n=1024, b=[16, 32])
        self.assertEqual([(row["machine"]["b"], row["contestant"]) for row in result.rows()],
                         [(16, "scan:sum"), (16, "scan:blelloch"), (32, "scan:sum"), (32, "scan:blelloch")])
        self.assertIs(result.rows()[0]["T"].__class__, int)
        self.assertEqual(result.rows("contestants"), result["contestants"])

    def test_main_tables_and_those_named(self):
        run = agpusim.run("reduce", n=4096, by_line=True)
        self.assertEqual((run.rows(), run.rows("lines")), (run["phase_reports"], run["lines"]))
        with self.assertRaisesRegex(ValueError, "no table line in what agpusim run returned; it has: .*phase_reports, lines"):
            run.frame("line")
        self.assertEqual(agpusim.pram("scan", n=64, all_variants=True).rows()[0]["variant"], "dyadic")
        self.assertEqual(agpusim.analyze(algorithm="reduce").rows("unusable"), [])
        self.assertEqual(agpusim.command("exercise", "list").rows(), printed("exercise", "list")["exercises"])

    def test_the_page_is_that_of_the_command(self):
        result = agpusim.run("reduce", n=4096)
        shown = html.unescape(re.fullmatch(r'<iframe srcdoc="([^"]*)" style="[^"]*"></iframe>', result._repr_html_())[1])
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder, "page.html")
            printed("run", "reduce", "--n", "4096", "--html", str(page))
            self.assertEqual(shown, page.read_text())
            self.assertEqual(agpusim.run("reduce", n=4096, html=page)._repr_html_(), result._repr_html_())
        self.assertIsNone(agpusim.command("exercise", "list")._repr_html_())

    def test_a_missing_package_is_named(self):
        result = agpusim.run("reduce", n=1000)
        with unittest.mock.patch.dict(sys.modules, {"pandas": None, "matplotlib": None, "matplotlib.pyplot": None}):
            for package, draw in (("pandas", result.frame), ("matplotlib", result.plot)):
                with self.assertRaisesRegex(ModuleNotFoundError, f"pip install {package}, or apt install python3-{package}"):
                    draw()

    @unittest.skipUnless(HAS_PANDAS, "pandas is not installed")
    def test_frames(self):
        result = agpusim.run("bitonic_sort", n=2**12, b=16, p=64, M=1024)
        frame = result.frame()
        self.assertEqual(list(frame["T"]), [row["T"] for row in result["phase_reports"]])
        self.assertEqual(frame["counts.alu"].sum(), result["counts"]["alu"])
        self.assertEqual(list(agpusim.algorithms().frame()["name"]), [row["name"] for row in agpusim.algorithms()])

    @unittest.skipUnless(HAS_MATPLOTLIB, "matplotlib is not installed")
    def test_a_line_for_each_program_and_machine(self):
        sweep = agpusim.sweep("scan", "reduce", n=[1024, 2048], b=[16, 32])
        for y in ("T", "Q"):
            axes = sweep.plot(y=y)
            drawn = {line.get_label(): list(line.get_ydata()) for line in axes.get_lines()}
            self.assertEqual(drawn, {f"{program}, b={b}": [point[y] for point in sweep["points"]
                                                            if (point["program"], point["b"]) == (program, b)]
                                     for program in {point["program"] for point in sweep["points"]} for b in (16, 32)})
        with self.assertRaisesRegex(ValueError, "no row has time; some have .*Q"):
            sweep.plot(y="time")

    @unittest.skipUnless(HAS_MATPLOTLIB, "matplotlib is not installed")
    def test_plots(self):
        import matplotlib.pyplot
        of_contest = agpusim.compare("scan:sum", "scan:blelloch", n=[1024, 2**20])
        for result, lines, patches in ((of_contest, 2, 0), (agpusim.bounds(n=[2**20, 2**24], M=4096), 5, 0),
                                       (agpusim.run("bitonic_sort", n=2**12, b=16, p=64, M=1024), 0, 6),
                                       (agpusim.pram("sum", n=64, variant="tree"), 0, 6),
                                       (agpusim.predict("transpose", n=2**20), 0, 6), (agpusim.validate(), 0, 8)):
            axes = result.plot()
            self.assertEqual((len(axes.get_lines()), len(axes.patches)), (lines, patches))
        analyzed = agpusim.analyze(algorithm="reduce")
        points = [line for line in analyzed.plot().get_lines() if line.get_marker() == "."]
        self.assertEqual(sum(len(line.get_xdata()) for line in points), len(analyzed.rows()))
        own = matplotlib.pyplot.subplots()[1]
        self.assertIs(agpusim.pipeline("scan", n=10**8, budget="3GB").plot(ax=own), own)
        self.assertEqual([text.get_text() for text in own.get_yticklabels()], ["copy in", "compute", "copy out"])
        with self.assertRaisesRegex(ValueError, "agpusim step returned has no plot; that of these has: analyze, "):
            agpusim.step("reduce", n=8, b=4, M=64).plot()

    @unittest.skipUnless(HAS_PANDAS and HAS_MATPLOTLIB, "pandas or matplotlib is not installed")
    def test_notebook(self):
        """Its cells run, and the tables that it shows are theirs."""
        variables, tables = {}, 0
        for cell in json.loads((ROOT / "docs/three_sorts.ipynb").read_text())["cells"]:
            if cell["cell_type"] != "code":
                continue
            *statements, last = ast.parse("".join(cell["source"])).body
            exec(compile(ast.Module(statements, []), "cell", "exec"), variables)
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), variables)
            if hasattr(value, "columns"):
                self.assertEqual("".join(cell["outputs"][0]["data"]["text/plain"]), repr(value))
                tables += 1
        self.assertEqual(tables, 3)


class Wheel(unittest.TestCase):
    @unittest.skipUnless(HAS_PIP and shutil.which("cmake"), "pip or cmake is not installed")
    def test_it_brings_the_program(self):
        build = pathlib.Path(os.environ["AGPUSIM"]).parent
        if not (build / "cmake_install.cmake").exists():
            self.skipTest("the program does not lie in a build")
        script = ("import agpusim, importlib.metadata as about; print(agpusim.program.path(), agpusim.__version__, "
                  "about.version('agpusim'), agpusim.run('reduce', n=1000)['T'], "
                  "agpusim.run('reduce', n=1000, by_line=True)['lines'][0]['text'] != '')")
        with tempfile.TemporaryDirectory() as site:
            install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-cache-dir", "--target", site]
            subprocess.run([*install, ROOT / "python"], check=True, stderr=subprocess.PIPE,
                           env=dict(os.environ, AGPUSIM_BUILD=str(build)))
            alone = {"PYTHONPATH": site, "PATH": "/nowhere"}
            said = subprocess.run([sys.executable, "-c", script], env=alone, stdout=subprocess.PIPE, text=True, check=True).stdout
            brought, version = f"{site}/agpusim/installed", agpusim.__version__
            T = printed("run", "reduce", "--n", "1000")["T"]
            self.assertEqual(said.split(), [f"{brought}/bin/agpusim", version, version, str(T), "True"])
            self.assertTrue(list(pathlib.Path(brought, "share/agpusim/devices").iterdir()))
            self.assertTrue(list(pathlib.Path(brought).glob("lib/agpusim/cudart/*/libcudart.so.*")))
            command = subprocess.run([f"{site}/bin/agpusim", "--version"], env=alone, stdout=subprocess.PIPE, text=True, check=True)
            self.assertEqual(command.stdout, f"agpusim {version}\n")

    def test_without_cmake_it_says_so(self):
        script = "import package_wheel; package_wheel.build_wheel('.')"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT / "python",
                              env={"PATH": "/nowhere", "AGPUSIM_BUILD": "/nowhere"})
        self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1))
        self.assertIn("install cmake", done.stderr)


if __name__ == "__main__":
    os.environ["AGPUSIM"] = str(pathlib.Path(sys.argv.pop(1)).resolve())
    os.environ["MPLBACKEND"] = "Agg"
    unittest.main()
