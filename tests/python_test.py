#!/usr/bin/env python3
"""python_test.py AGPUSIM: the Python module against the program."""
import array
import ast
import concurrent.futures
import contextlib
import email
import functools
import html
import importlib.util
import inspect
import io
import json
import multiprocessing
import os
import pathlib
import pickle
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))
import agpusim  # noqa: E402


HAS_PANDAS, HAS_MATPLOTLIB, HAS_PIP, HAS_MYPY = (importlib.util.find_spec(name) is not None
                                                 for name in ("pandas", "matplotlib", "pip", "mypy"))
HAS_JUPYTER = all(importlib.util.find_spec(name) for name in ("nbconvert", "ipykernel"))
PROGRAM = ROOT / "tests/cli/reporting/program"  # stands for a CUDA program
REDUCE = {"kernel": "reduce<64>", "grid": 1, "block": 64, "arg": ["in:u32:64", "out:u32:1", 64]}
PTX = ROOT / "tests/ptx/fixtures/reduce.ptx"


@functools.lru_cache(None)
def has_clang():
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "empty.cu")
        source.write_text("int main() {}\n")
        try:
            agpusim.cc(source, "-o", f"{folder}/empty")
        except agpusim.Error as error:
            return error.code != 6
    return True


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
        self.assertIsNone(agpusim.run("reduce", n=4096, html=False)._repr_html_())

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
        printed = os.environ.get("AGPUSIM_PRINTED")  # by a test before: it takes a minute
        validated = agpusim.Result(json.loads(pathlib.Path(printed).read_text()), "validate", None) if printed else agpusim.validate()
        of_contest = agpusim.compare("scan:sum", "scan:blelloch", n=[1024, 2**20])
        for result, lines, patches in ((of_contest, 2, 0), (agpusim.bounds(n=[2**20, 2**24], M=4096), 5, 0),
                                       (agpusim.run("bitonic_sort", n=2**12, b=16, p=64, M=1024), 0, 6),
                                       (agpusim.pram("sum", n=64, variant="tree"), 0, 6),
                                       (agpusim.predict("transpose", n=2**20), 0, 7), (validated, 0, 27),
                                       (agpusim.exec(PROGRAM), 0, 2), (agpusim.ptx(PTX, **REDUCE), 0, 6)):
            axes = result.plot()
            self.assertEqual((len(axes.get_lines()), len(axes.patches)), (lines, patches))
        runs = [{"algorithm": name, "n": n, "T": n, "median_ms": 0.1 * n} for name in ("scan", "reduce") for n in (64, 128)]
        paid = [{"cost": cost, "paid": 3, "bound": 4} for cost in "TQ"]
        marks = [{"student": name, "exercise": "scan", "marks": 3} for name in "abc"]
        for members, command, lines, widths in (({"plans": [{"runs": runs}]}, "measure", 2, []), ({"added": runs}, "count", 2, []),
                                                ({"of": [], "costs": paid}, "exercise grade", 0, [0.75] * 2),
                                                ({"answers": marks}, "exercise grade", 0, [3] * 3)):
            axes = agpusim.Result(members, command, None).plot()
            self.assertEqual((len(axes.get_lines()), [bar.get_width() for bar in axes.patches]), (lines, widths))
        analyzed = agpusim.analyze(algorithm="reduce")
        points = [line for line in analyzed.plot().get_lines() if line.get_marker() == "."]
        self.assertEqual(sum(len(line.get_xdata()) for line in points), len(analyzed.rows()))
        own = matplotlib.pyplot.subplots()[1]
        self.assertIs(agpusim.pipeline("scan", n=10**8, budget="3GB").plot(ax=own), own)
        self.assertEqual([text.get_text() for text in own.get_yticklabels()], ["copy in", "compute", "copy out"])
        with self.assertRaisesRegex(ValueError, "agpusim step returned has no plot; that of these has: analyze, "):
            agpusim.step("reduce", n=8, b=4, M=64).plot()

class Commands(unittest.TestCase):
    """Those of CUDA programs and of files."""

    def test_exec_gives_the_program_its_own_words(self):
        expected = printed_behind("exec", "--quiet-program", "--json", "-", "--", str(PROGRAM), "4096", "--json")
        result = agpusim.exec(PROGRAM, 4096, "--json")
        self.assertEqual(result, expected)
        self.assertEqual(result["program"], [str(PROGRAM), "4096", "--json"])
        self.assertEqual(agpusim.exec([PROGRAM, 4096], "--json"), expected)
        self.assertEqual(json.loads(result.output)["machine"], "h200")  # the program prints how it is run
        self.assertEqual(json.loads(agpusim.exec(PROGRAM, machine="h200-wide").output)["machine"], "h200-wide")
        self.assertEqual(agpusim.exec(PROGRAM, quiet_program=True).output, "")
        self.assertEqual([row["name"] for row in result.rows()], ["reduce", "ns::scan<256>"])
        self.assertEqual(result.rows("lines")[0]["line"], 6)
        self.assertIn("conflicts", result._repr_html_())

    def test_command_puts_options_before_the_program(self):
        expected = printed_behind("exec", "--quiet-program", "--json", "-", "--", str(PROGRAM), "4096")
        for words in (["--", PROGRAM, 4096], ["--json", "-", "--", PROGRAM, 4096], [PROGRAM, 4096],
                      ["--quiet-program", "--json", "-", "--", PROGRAM, 4096]):
            self.assertEqual(agpusim.command("exec", *words), expected)
        self.assertEqual(agpusim.command("exec", PROGRAM, why=True)["why"]["kernel"], agpusim.exec(PROGRAM, why=True)["why"]["kernel"])
        self.assertEqual(agpusim.build("echo", "a", "--json"), "a --json\n")
        self.assertEqual(agpusim.command("build", "--", "echo", "--html"), "--html\n")

    def test_what_a_program_prints_is_not_taken_for_the_result(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder, "program")
            program.write_text(f"#!/bin/sh\nprintf '{{\\n  \"agpusim\": \"no\"}} without an end of line'\n"
                               f"cat '{PROGRAM.parent}/lines.jsonl' >> \"$AGPUSIM_EXEC\"\n")
            program.chmod(0o755)
            result = agpusim.exec(program)
        self.assertEqual(result.output, '{\n  "agpusim": "no"} without an end of line')
        self.assertEqual(result["processes"], 1)

    def test_a_failing_exec_has_its_result(self):
        with self.assertRaisesRegex(agpusim.Error, "--require fails: conflicts == 0") as raised:
            agpusim.exec(PROGRAM, require=["Q > 1", "conflicts == 0"])
        self.assertEqual(raised.exception.code, 7)
        self.assertEqual([row["holds"] for row in raised.exception.result.rows("conditions")], [True, False])
        with self.assertRaises(agpusim.Error) as raised:
            agpusim.ptx(PTX, **{**REDUCE, "arg": ["in:u32:64:unwritten", "out:u32:1", 64]})
        self.assertEqual((raised.exception.code, raised.exception.result.rows("findings")[0]["array"]), (4, "in"))
        again = pickle.loads(pickle.dumps(raised.exception))
        self.assertEqual((str(again), again.code, again.result), (str(raised.exception), 4, raised.exception.result))

    def test_what_is_not_there_is_an_error(self):
        with self.assertRaisesRegex(agpusim.Error, "no program './nowhere'") as raised:
            agpusim.exec("./nowhere", 4096)
        self.assertIsNone(raised.exception.result)
        with self.assertRaisesRegex(agpusim.Error, "ended with exit code 3") as raised:
            agpusim.build("sh", "-c", "exit 3")
        self.assertEqual(raised.exception.code, 3)
        with unittest.mock.patch.dict(os.environ, {"AGPUSIM": "/nowhere/agpusim"}):
            with self.assertRaisesRegex(agpusim.Error, "cannot run /nowhere/agpusim: No such file"):
                agpusim.run("reduce", n=64)

    def test_json_is_kept_in_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "base.json")
            result = agpusim.exec(PROGRAM, json=file)
            self.assertEqual(json.loads(file.read_text()), result)
            self.assertFalse(agpusim.exec(PROGRAM, against=file)["against"]["dearer"])
            self.assertEqual(agpusim.run("reduce", n=64, json=str(file)), json.loads(file.read_text()))

    def test_ptx_count_measure_and_grade(self):
        self.assertEqual(agpusim.ptx(PTX, **REDUCE), printed("ptx", str(PTX), "--kernel", "reduce<64>", "--grid", "1x1", "--block", "64",
                                                            "--arg", "in:u32:64", "--arg", "out:u32:1", "--arg", "64"))
        self.assertEqual(agpusim.ptx(PTX, **{**REDUCE, "grid": (1, 1), "block": [64]}).rows()[0]["line"], 11)
        times = ROOT / "validation/data/h200/sorts"
        with tempfile.TemporaryDirectory() as folder:
            expected = printed("count", str(times), "--max-seconds", "0", "--out", f"{folder}/1.jsonl")
            self.assertEqual({**agpusim.count(times, max_seconds=0, out=f"{folder}/2.jsonl"), "file": expected["file"]}, expected)
        with self.assertRaisesRegex(agpusim.Error, "unknown machine 'nowhere'"):  # each value is an option of its own
            agpusim.measure(machine=["h200", "nowhere"])
        self.assertEqual(agpusim.exercises(), printed("exercise", "list")["exercises"])
        with tempfile.TemporaryDirectory() as folder:
            answer = pathlib.Path(folder, "mine.hpp")
            answer.write_text("no program\n")
            with self.assertRaisesRegex(agpusim.Error, "exit code 7|does not compile|marks") as raised:
                agpusim.grade(answer, as_="reverse")
        self.assertEqual((raised.exception.code, raised.exception.result["marks"]), (7, 0))

    def test_text_of_commands_without_json(self):
        self.assertIn("interrupted (Ctrl-C)", agpusim.command("help", "exit-codes"))
        self.assertIn("cudaMalloc ", agpusim.exec(functions=True))
        self.assertEqual(agpusim.command("schema", "run")["title"], "agpusim run")
        with tempfile.TemporaryDirectory() as folder:
            agpusim.new("my_sort", folder=f"{folder}/my_sort")
            self.assertTrue(pathlib.Path(folder, "my_sort/my_sort.hpp").exists())


def printed_behind(*arguments):
    return json.loads(subprocess.run([os.environ["AGPUSIM"], *arguments], capture_output=True, check=True).stdout)


class Fake:
    """A program in the place of agpusim. It notes its processes in `pids`, does `does` and then waits for ever."""

    def __init__(self, folder, does=""):
        self.pids = pathlib.Path(folder, "pids")
        self.pids.touch()
        self.program = pathlib.Path(folder, "agpusim")
        self.program.write_text(f"#!/bin/bash\n{does}\nsleep 1000 & echo $$ $! >> '{self.pids}'\necho works >&2\nwait\nwait\n")
        self.program.chmod(0o755)

    def wait_for(self, count):
        last = time.monotonic() + 60
        while len(self.pids.read_text().splitlines()) < count and time.monotonic() < last:
            time.sleep(0.02)

    def living(self):
        """Those of its processes that run: one that is dead and not waited for does not."""
        def runs(pid):
            try:
                return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
            except OSError:
                return False
        return [pid for pid in self.pids.read_text().split() if runs(pid)]


class Processes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def interrupted(self, script, fake, count=1):
        """What Python says that runs the script and that alone gets SIGINT, once the fake program runs `count` times."""
        script = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); import agpusim; " + script
        with subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.PIPE, text=True,
                              env=dict(os.environ, PYTHONPATH=str(ROOT / "python"), AGPUSIM=str(fake.program))) as call:
            fake.wait_for(count)
            self.assertEqual(len(fake.living()), 2 * count)
            call.send_signal(signal.SIGINT)
            said = call.stderr.read()
        self.assertEqual(fake.living(), [])
        return said

    def test_an_interrupt_of_python_alone_ends_the_program(self):
        told = pathlib.Path(self.folder, "told")
        fake = Fake(self.folder, f"trap 'echo told > {told}; exit 130' INT")
        self.assertIn("KeyboardInterrupt", self.interrupted("agpusim.run('reduce', n=64)", fake))
        self.assertEqual(told.read_text(), "told\n")

    def test_one_that_does_not_listen_is_killed(self):
        fake = Fake(self.folder, "trap '' INT")
        begin = time.monotonic()
        self.assertIn("KeyboardInterrupt", self.interrupted("agpusim.program._GRACE = 0.5; agpusim.exec('./prog')", fake))
        self.assertLess(time.monotonic() - begin, 60)

    def test_an_interrupt_ends_all_of_a_map(self):
        fake = Fake(self.folder)
        said = self.interrupted("agpusim.map(agpusim.run, [('reduce', 64)] * 5, jobs=2)", fake, count=2)
        self.assertIn("KeyboardInterrupt", said)
        self.assertEqual(len(fake.pids.read_text().splitlines()), 2)  # the others were not begun

    def test_control_c_of_the_program_itself(self):
        """A run of minutes; the signal is sent once the run says how far it is."""
        script = ("import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
                  "import agpusim; agpusim.run('rank_sort', n=2**18, variant='global')")
        with subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.PIPE, text=True,
                              env=dict(os.environ, PYTHONPATH=str(ROOT / "python"))) as call:
            call.stderr.readline()
            of_call = pathlib.Path(f"/proc/{call.pid}/task/{call.pid}/children").read_text().split()
            call.send_signal(signal.SIGINT)
            self.assertIn("KeyboardInterrupt", call.stderr.read())
        self.assertEqual(len(of_call), 1)
        self.assertFalse(pathlib.Path(f"/proc/{of_call[0]}").exists())

    def test_any_exception_ends_the_program(self):
        class Full:
            def write(self, text):
                raise OSError("no room")
        fake = Fake(self.folder)
        with unittest.mock.patch.dict(os.environ, {"AGPUSIM": str(fake.program)}), unittest.mock.patch("sys.stderr", Full()):
            with self.assertRaisesRegex(OSError, "no room"):
                agpusim.run("reduce", n=64)
        self.assertEqual((len(fake.pids.read_text().split()), fake.living()), (2, []))

    def test_the_first_failure_ends_a_map(self):
        fake = Fake(self.folder, f"if [ \"$2\" = bad ]; then while [ ! -s '{self.folder}/pids' ]; do sleep 0.02; done; "
                                 "echo 'agpusim: error: bad' >&2; exit 2; fi")
        with unittest.mock.patch.dict(os.environ, {"AGPUSIM": str(fake.program)}), contextlib.redirect_stderr(io.StringIO()):
            with self.assertRaisesRegex(agpusim.Error, "^bad$") as raised:
                agpusim.map(agpusim.run, [("good", 1), ("bad", 1), ("good", 1)], jobs=2)
        self.assertEqual((raised.exception.code, fake.living()), (2, []))


class Map(unittest.TestCase):
    def test_results_in_the_order_of_the_runs(self):
        runs = [{"algorithm": "reduce", "n": n} for n in (3000, 1000, 2000)]
        expected = [printed("run", "reduce", "--n", str(run["n"])) for run in runs]
        self.assertEqual(agpusim.map(agpusim.run, runs, jobs=2), expected)
        self.assertEqual(agpusim.map(agpusim.run, [tuple(run.values()) for run in runs]), expected)
        self.assertEqual(agpusim.map([functools.partial(agpusim.run, "reduce", run["n"]) for run in runs], jobs=3), expected)
        self.assertEqual(agpusim.map(str, [1, (2,)], jobs=1), ["1", "2"])
        self.assertEqual(agpusim.map(agpusim.run, []), [])

    def test_as_many_at_a_time_as_jobs(self):
        now, most, lock = 0, 0, threading.Lock()

        def one(_):
            nonlocal now, most
            with lock:
                now += 1
                most = max(most, now)
            time.sleep(0.05)
            with lock:
                now -= 1
        agpusim.map(one, range(8), jobs=3)
        self.assertEqual(most, 3)

    def test_errors_in_the_place_of_results(self):
        results = agpusim.map(agpusim.run, [("no_sort", 8), ("reduce", 8)], errors=True)
        self.assertEqual((results[0].code, results[1]), (2, printed("run", "reduce", "--n", "8")))
        with self.assertRaisesRegex(agpusim.Error, "no_sort"):
            agpusim.map(agpusim.run, [("no_sort", 8), ("reduce", 8)])

    def test_call_runs_in_other_processes(self):
        """As Dask and Ray do: function, run, result and error are pickled."""
        with unittest.mock.patch.dict(os.environ, {"PYTHONPATH": str(ROOT / "python")}), \
                concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
            result = pool.submit(agpusim.call, agpusim.exec, (PROGRAM, 4096)).result()
            failed = pool.submit(agpusim.call, agpusim.exec, {"program": PROGRAM, "require": "Q == 0"}).exception()
        self.assertEqual((result.rows(), result.page[:9].lower()), (result["kernels"], "<!doctype"))
        self.assertEqual((failed.code, failed.result["conditions"][0]["holds"]), (7, False))


class Stub(unittest.TestCase):
    def test_it_is_what_the_program_s_help_says(self):
        subprocess.run([sys.executable, ROOT / "python/make_stub.py", "--check", os.environ["AGPUSIM"]], check=True)
        with tempfile.TemporaryDirectory() as folder:  # the check can fail
            other = pathlib.Path(folder, "agpusim")
            other.write_text(f"#!/bin/sh\n'{os.environ['AGPUSIM']}' \"$@\" | sed s/seed/sede/\n")
            other.chmod(0o755)
            done = subprocess.run([sys.executable, ROOT / "python/make_stub.py", "--check", other], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("make_stub.py", done.stderr)

    def test_functions_have_the_options_of_their_commands(self):
        for function, words in ((agpusim.exec, ["exec"]), (agpusim.run, ["run"]), (agpusim.sweep, ["sweep"]), (agpusim.ptx, ["ptx"]),
                                (agpusim.grade, ["exercise", "grade"]), (agpusim.measure, ["measure"])):
            told = subprocess.run([os.environ["AGPUSIM"], *words, "--help"], capture_output=True, text=True, check=True).stdout
            told = set(re.findall(r"^ +(?:-\w,)?--([\w-]+)", told, re.MULTILINE)) - {"help", "csv", "tex", "no-html"}
            listed = {name for name, each in inspect.signature(function).parameters.items() if each.kind is each.KEYWORD_ONLY}
            self.assertEqual(told - {"n"}, {name.rstrip("_").replace("_", "-") for name in listed} - {"n"})
            self.assertTrue(all(re.search(rf"^{name}\b.*: ", function.__doc__, re.MULTILINE) for name in listed))

    def test_every_command_has_a_function_or_a_row(self):
        listed = subprocess.run([os.environ["AGPUSIM"], "--help"], capture_output=True, text=True, check=True).stdout
        listed = set(re.findall(r"^  ([a-z][\w-]*) {2,}", listed, re.MULTILINE)) - {"exercise", "help", "schema"}
        rows = {name for name in agpusim.result.COMMANDS if not name.startswith("exercise")}
        self.assertEqual(listed, rows | {"build", "cc", "new"})
        renamed = {"list": "algorithms", "why": "predict", "import-counters": "import_counters"}
        self.assertLessEqual({renamed.get(name, name) for name in listed}, set(dir(agpusim)))

    @unittest.skipUnless(HAS_MYPY, "mypy is not installed")
    def test_types(self):
        calls = {"run('scan', 64, b=[16, 32], by_line=True).frame()": "", "run('scan', 64, by_lines=True)": "by_lines",
                 "exec('./prog', 5, require=['Q > 1'], html=False).output.split()": "", "grade('a', as_=object())": "as_",
                 "map(agpusim.run, [('scan', 64)], jobs=2)[0]": ""}
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "file.py")
            file.write_text("import agpusim\n" + "".join(f"agpusim.{call}\n" for call in calls))
            done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--cache-dir", f"{folder}/cache", file],
                                  cwd=folder, capture_output=True, text=True, env=dict(os.environ, MYPYPATH=str(ROOT / "python")))
        said = {int(number): text for number, text in re.findall(r":(\d+): error: (.*)", done.stdout)}
        wrong = {number: each for number, each in enumerate(calls.values(), 2) if each}
        self.assertEqual(said.keys(), wrong.keys(), done.stdout)
        self.assertTrue(all(each in said[number] for number, each in wrong.items()), done.stdout)


class Told(ast.NodeTransformer):
    """Compares the expressions of a page that end in a line with "#-> VALUE" with the values."""

    def __init__(self, text):
        self.values = {number: line.partition("#->")[2] for number, line in enumerate(text.splitlines(), 1) if "#->" in line}

    def visit_Expr(self, node):
        if node.end_lineno in self.values:
            value = ast.parse(self.values[node.end_lineno].strip(), mode="eval").body
            node.value = ast.Call(ast.Name("told", ast.Load()), [node.value, value], [])
        return ast.fix_missing_locations(node)


class Documents(unittest.TestCase):
    def setUp(self):
        self.addCleanup(os.chdir, os.getcwd())

    def test_examples_of_the_page(self):
        """Each statement; frames and plots where their packages are installed, and CUDA programs where clang is."""
        page = (ROOT / "docs/reference/python.md").read_text()
        values = []

        def told(value, expected):
            self.assertEqual(value, expected)
            values.append(value)
        variables, expected = {"told": told}, 0
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            shutil.copy(ROOT / "examples/exec/reduce.cu", folder)
            shutil.copy(PTX, folder)
            shutil.copy(next((ROOT / "validation/data").rglob("times*.jsonl")), f"{folder}/times.jsonl")
            for block in re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL):
                if "./reduce" in block and not has_clang():
                    exec("import agpusim", variables)
                    continue
                expected += block.count("#->")
                for statement in Told(block).visit(ast.parse(block)).body:
                    try:
                        exec(compile(ast.Module([statement], []), "python.md", "exec"), variables)
                    except ModuleNotFoundError as missing:
                        self.assertIn(missing.name, ("pandas", "matplotlib"))
        self.assertEqual(len(values), expected)
        self.assertGreater(expected, 2)

    def cells(self, name):
        return [cell for cell in json.loads((ROOT / "docs" / name).read_text())["cells"] if cell["cell_type"] == "code"]

    @staticmethod
    def shown(outputs, kind):
        """What a cell printed, or the text of its value, without results, which a notebook shows as pages."""
        outputs = [output for output in outputs if output["output_type"] == kind and output.get("name") != "stderr"]
        texts = ["".join(output["text"] if kind == "stream" else output["data"]["text/plain"]) for output in outputs]
        return "".join(text for text in texts if "agpusim" not in text)

    def test_cells_of_notebooks(self):
        """They run, and print and return what is shown, up to one that needs a package which is not installed."""
        for name, least, all_cells in (("three_sorts.ipynb", 0, 5), ("cuda_program.ipynb", 1, 6)):
            if name == "cuda_program.ipynb" and not has_clang():
                continue
            os.chdir(ROOT / "docs")
            variables, run = {}, 0
            for cell in self.cells(name):
                *statements, last = ast.parse("".join(cell["source"])).body
                try:
                    with contextlib.redirect_stdout(io.StringIO()) as said:
                        exec(compile(ast.Module(statements, []), "cell", "exec"), variables)
                        value = eval(compile(ast.Expression(last.value), "cell", "eval"), variables)
                except ModuleNotFoundError as missing:
                    self.assertIn(missing.name, ("pandas", "matplotlib"))
                    break
                self.assertEqual(said.getvalue(), self.shown(cell["outputs"], "stream"))
                if isinstance(value, list) or hasattr(value, "columns"):
                    self.assertEqual(repr(value), self.shown(cell["outputs"], "execute_result"))
                run += 1
            self.assertGreaterEqual(run, all_cells if HAS_PANDAS and HAS_MATPLOTLIB else least)
            if "sweep" in variables:  # its table is checked without pandas too
                table = self.shown(self.cells(name)[0]["outputs"], "execute_result").split()
                self.assertLessEqual({str(point["T"]) for point in variables["sweep"]["points"]}, set(table))

    @unittest.skipUnless(HAS_JUPYTER and HAS_PANDAS and HAS_MATPLOTLIB, "Jupyter, pandas or matplotlib is not installed")
    def test_notebooks_in_jupyter(self):
        import nbformat
        from nbconvert.preprocessors import ExecutePreprocessor
        for name in ("three_sorts.ipynb", *["cuda_program.ipynb"] * has_clang()):
            notebook = nbformat.read(ROOT / "docs" / name, as_version=4)
            with unittest.mock.patch.dict(os.environ, {"PYTHONPATH": f"{ROOT / 'python'}:{os.environ.get('PYTHONPATH', '')}"}):
                ExecutePreprocessor(timeout=600).preprocess(notebook, {"metadata": {"path": str(ROOT / "docs")}})
            new = [cell for cell in notebook.cells if cell.cell_type == "code"]
            for cell, old in zip(new, self.cells(name)):
                for kind in ("stream", "execute_result"):
                    self.assertEqual(self.shown(cell.outputs, kind), self.shown(old["outputs"], kind))


class Wheel(unittest.TestCase):
    @unittest.skipUnless(HAS_PIP and importlib.util.find_spec("ensurepip") and shutil.which("cmake"), "pip or cmake is not installed")
    def test_it_brings_the_program(self):
        """A virtual environment, made from the sdist where git can list the tree, has all that the commands need."""
        build = pathlib.Path(os.environ["AGPUSIM"]).parent
        if not (build / "cmake_install.cmake").exists():
            self.skipTest("the program does not lie in a build")
        script = ("import agpusim, importlib.metadata as about; print(agpusim.program.path(), agpusim.__version__, "
                  "about.version('agpusim'), agpusim.run('reduce', n=1000)['T'], "
                  "agpusim.run('reduce', n=1000, by_line=True)['lines'][0]['text'] != '', "
                  f"agpusim.exec('{PROGRAM}')['processes'], 'by_line' in agpusim.run.__doc__)")
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            subprocess.run([sys.executable, "-m", "venv", folder / "v"], check=True)
            install = [folder / "v/bin/python", "-m", "pip", "install", "--quiet", "--no-index", "--no-cache-dir"]
            subprocess.run([*install, self.sources(folder)], check=True, stderr=subprocess.PIPE,
                           env=dict(os.environ, AGPUSIM_BUILD=str(build)))
            alone = {"PATH": os.environ["PATH"], "HOME": str(folder)}

            def said(*command):
                return subprocess.run([str(word) for word in command], env=alone, stdout=subprocess.PIPE, text=True, check=True).stdout
            site = next(folder.glob("v/lib/python3*/site-packages"))
            brought, version = site / "agpusim/installed", agpusim.__version__
            T = printed("run", "reduce", "--n", "1000")["T"]
            self.assertEqual(said(folder / "v/bin/python", "-c", script).split(),
                             [f"{brought}/bin/agpusim", version, version, str(T), "True", "1", "True"])
            self.assertTrue(list((brought / "share/agpusim/devices").iterdir()))
            program = folder / "v/bin/agpusim"
            self.assertEqual(said(program, "--version"), f"agpusim {version}\n")
            self.assertEqual(said(program, "build", "--", "echo", "built"), "built\n")
            if has_clang():
                said(program, "cc", ROOT / "examples/exec/reduce.cu", "-o", folder / "reduce")
                self.assertIn("2 kernels, 2 launches", said(program, "exec", "--", folder / "reduce", 4096))
            said(program, "new", "my_sort", "--folder", folder / "my_sort")
            self.assertIn("Generating done", said("cmake", "-S", folder / "my_sort", "-B", folder / "b", f"-DCMAKE_PREFIX_PATH={brought}"))
            self.check_metadata(site, version)

    def sources(self, folder):
        """What pip installs: the sdist, after its files have been looked at, or the tree."""
        script = "import package_wheel, sys; print(package_wheel.build_sdist(sys.argv[1]))"
        done = subprocess.run([sys.executable, "-c", script, folder], cwd=ROOT / "python", capture_output=True, text=True)
        if done.returncode:
            self.assertIn("made in a git clone", done.stderr)
            return ROOT / "python"
        name = done.stdout.strip()
        with tarfile.open(folder / name) as archive:
            root = name[:-len(".tar.gz")]
            files = {f"{root}/{each}" for each in ("PKG-INFO", "pyproject.toml", "CMakeLists.txt", "LICENSE", "cli/main.cpp",
                                                   "python/agpusim/__init__.pyi", "python/agpusim/py.typed")}
            self.assertEqual(files - set(archive.getnames()), set())
        return folder / name

    def check_metadata(self, site, version):
        about = email.message_from_string(next(site.glob("agpusim-*.dist-info/METADATA")).read_text())
        cited = (ROOT / "CITATION.cff").read_text()
        self.assertEqual((about["Name"], about["Version"]), ("agpusim", version))
        self.assertIn(f"license: {about['License']}\n", cited)
        self.assertIn(f"name: {about['Author']}\n", cited)
        self.assertEqual(about.get_all("Provides-Extra"), ["pandas", "plot"])
        self.assertIn("# From Python", about.get_payload())
        self.assertTrue((site / "agpusim/py.typed").exists())
        self.assertTrue(next(site.glob("agpusim-*.dist-info/LICENSE")).read_text().strip().startswith("Apache License"))

    def test_without_cmake_it_says_so(self):
        script = "import package_wheel; package_wheel.build_wheel('.')"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT / "python",
                              env={"PATH": "/nowhere", "AGPUSIM_BUILD": "/nowhere"})
        self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1))
        self.assertIn("install cmake", done.stderr)


class Repeat(unittest.TestCase):
    def repeat(self, *arguments):
        done = subprocess.run([sys.executable, "-m", "agpusim.repeat", *map(str, arguments)], capture_output=True, text=True,
                              cwd=ROOT / "python")
        return done.returncode, done.stdout, done.stderr

    def test_the_example_is_what_it_was(self):
        code, out, errors = self.repeat(ROOT / "examples/paper")
        self.assertEqual((code, out.count("equal: ")), (0, 4), out + errors)

    def test_what_differs_is_named(self):
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            commands = folder / "commands.txt"
            self.assertIn("commands.txt is missing", self.repeat(folder, "--save")[2])
            keys = folder / "keys"  # 64 bits each
            commands.write_text("# a comment\nagpusim pram sum --input file:keys --json > sum.json\n"
                                "agpusim step sum --n 8 --at 1 --svg sum.svg > step.txt\n")
            keys.write_bytes(b"\0" * 24)
            self.assertEqual(self.repeat(folder)[0], 2)  # nothing was saved
            self.assertEqual(self.repeat(folder, "--save")[:2], (0, "saved: step.txt, sum.json, sum.svg\n"))
            self.assertEqual(self.repeat(folder)[0], 0)
            saved = folder / "saved.json"
            saved.write_text(saved.read_text().replace(agpusim.__version__, "0.9.0"))
            code, out, _ = self.repeat(folder)
            self.assertEqual((code, out.partition("\n")[0]), (0, f"saved by agpusim 0.9.0, repeated by {agpusim.__version__}"))
            keys.write_bytes(b"\1" + b"\0" * 23)
            code, out, _ = self.repeat(folder)
            self.assertEqual(code, 7)
            for words in ("keys: not the input", "sum.json: line ", "equal: sum.svg"):
                self.assertIn(words, out)
            (folder / "saved/sum.svg").write_text("<svg/>")
            self.assertIn("saved/sum.svg: changed after", self.repeat(folder)[1])
            commands.write_text("agpusim pram nothing > sum.json\n")
            self.assertEqual(self.repeat(folder, "--save")[0], 2)
            self.assertTrue((folder / "saved/sum.json").exists())  # what was saved stays
            for lines, words in (("ls > files.txt", "commands.txt:1: a line is"), ("", "has no command"), ("agpusim list '", "commands.txt:1: "),
                                 ("agpusim list > a\nagpusim list > a", ":2: a is another file"), ("agpusim list > ..", ":1: a line"),
                                 ("agpusim list > saved.json", "saved.json is another")):
                commands.write_text(lines + "\n")
                code, _, errors = self.repeat(folder)
                self.assertEqual(code, 2)
                self.assertIn(words, errors)
            saved.write_text("[]")
            self.assertEqual(self.repeat(folder)[0], 3)

    def test_what_was_there_before(self):
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            (folder / "commands.txt").write_text("agpusim sweep scan --n 64 --out points.jsonl > scan.txt\n"
                                                 "agpusim pram sum --input file:data/saved/keys > sum.txt\n")
            (folder / "data/saved").mkdir(parents=True)
            (folder / "data/saved/keys").write_bytes(b"\0" * 24)
            for name in ("scan.txt", "points.jsonl"):  # of lines that ran by hand
                (folder / name).write_text("other")
            self.assertEqual(self.repeat(folder, "--save")[:2], (0, "saved: points.jsonl, scan.txt, sum.txt\n"))
            (folder / "paper.tex").write_text("written later")
            self.assertEqual(self.repeat(folder)[0], 0)


if __name__ == "__main__":
    os.environ["AGPUSIM"] = str(pathlib.Path(sys.argv.pop(1)).resolve())
    os.environ["MPLBACKEND"] = "Agg"
    unittest.main()
