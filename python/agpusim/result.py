"""What a command returned, as tables, as a plot and as its page."""

from __future__ import annotations

import html
import importlib
from typing import Any

_UNITS = {"T": "time units", "Q": "blocks", "passes": "n/b blocks", "active": "processors"}


def _package(module):
    name = module.partition(".")[0]
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as missing:
        if missing.name not in (name, module):
            raise
        advice = f"{name} is not installed: pip install {name}, or apt install python3-{name}"
        raise ModuleNotFoundError(advice, name=name) from None


class Rows(list):
    """The rows of one table, each a dict."""

    def frame(self) -> Any:
        """A pandas.DataFrame of them; a member of a member is a column such as "counts.alu"."""
        return _package("pandas").json_normalize(self)


class Result(dict):
    """What the --json of a command prints. `output`: what the program of `exec` printed; `page`: what --html writes, or None."""

    def __init__(self, members: dict, command: str, page: str | None, output: str = ""):
        super().__init__(members)
        self._command, self.page, self.output = command, page, output

    def tables(self) -> dict[str, Rows]:
        """All lists of objects and empty lists by their names, such as "machines.rows". A row repeats the members around it."""
        tables = {}
        _add_tables(self, "", {}, tables)
        return tables

    def rows(self, table: str | None = None) -> Rows:
        """The rows of one table, of the main one by default."""
        tables = self.tables()
        filled = [name for name, rows in tables.items() if rows]
        for name in [table] if table else [*COMMANDS.get(self._command, ("",))[0].split(), *filled]:
            if name in tables:
                return tables[name]
        asked = f"table {table}" if table else "table"
        raise ValueError(f"no {asked} in what agpusim {self._command} returned; it has: {', '.join(filled) or 'none'}")

    def frame(self, table: str | None = None) -> Any:
        """A pandas.DataFrame of one table, of the main one by default."""
        return self.rows(table).frame()

    def plot(self, ax: Any = None, **options: str) -> Any:
        """Draws it with matplotlib into `ax`, or axes of its own, which it returns. `y`: the member that is drawn."""
        draw = COMMANDS.get(self._command, ("", None))[1]
        if draw is None:
            drawn = ", ".join(command for command, (_, each) in COMMANDS.items() if each)
            raise ValueError(f"what agpusim {self._command} returned has no plot; that of these has: {drawn}")
        axes = ax or _package("matplotlib.pyplot").subplots()[1]
        draw(self, axes, **options)
        return axes

    def _repr_html_(self):
        """The page, in a frame: it has a style of its own."""
        return self.page and f'<iframe srcdoc="{html.escape(self.page)}" style="width:100%;height:40em;border:0"></iframe>'


def _add_tables(value, name, around, tables):
    for key, member in value.items():
        path = f"{name}.{key}".lstrip(".")
        if isinstance(member, dict):
            _add_tables(member, path, around, tables)
        elif isinstance(member, list) and all(isinstance(row, dict) for row in member[:1]):
            rows = tables.setdefault(path, Rows())
            for row in member:
                whole = {**around, **row}
                rows.append(whole)
                _add_tables(row, path, {key: each for key, each in whole.items() if not isinstance(each, list)}, tables)


def _label(member):
    return f"{member} ({_UNITS[member]})" if member in _UNITS else member


def _with(rows, y):
    """Those that have y."""
    found = [row for row in rows if row.get(y) is not None]
    if not found:
        numbers = sorted({key for row in rows for key, value in row.items() if isinstance(value, (int, float))})
        raise ValueError(f"no row has {y}; some have {', '.join(numbers)}")
    return found


def _series(rows, name):
    """The rows of each label: the member `name`, with the members of the machine and the data that tell rows of one name apart."""
    def kinds(members):
        return len({tuple(row.get(member) for member in members) for row in rows})
    members = [name]
    for member in ("label", "type", "input", "p", "b", "M", "w", "V"):
        if kinds([*members, member]) > kinds(members):
            members.append(member)
    series = {}
    for row in rows:
        label = ", ".join([str(row[name]), *(f"{member}={row[member]}" for member in members[1:])])
        series.setdefault(label.replace("label=", ""), []).append(row)
    return series


def _lines(rows, name, axes, y):
    """y over n, a line for each program on each machine."""
    for label, points in _series(_with(rows, y), name).items():
        axes.loglog([point["n"] for point in points], [point[y] for point in points], marker="o", label=label)
    axes.set(xlabel="n", ylabel=_label(y))
    axes.legend(fontsize="small")


def _over_n(table, name, member):
    """What draws the member of the table's rows over n, a line for each name."""
    def draw(result, axes, y=member):
        _lines(result.rows(table), name, axes, y)
    return draw


def _bounds(result, axes):
    """The passes of the sorts and of the lower bound."""
    least = [{**row, "label": "lower bound", "passes": row["lower_bound"]["total"]} for row in result.rows("rows")]
    _lines([*result.rows("rows.sorts"), *least], "label", axes, "passes")


def _bars(rows, axes, x, y, kind):
    """y of the first row, the second and so on, a colour for each kind."""
    for each in dict.fromkeys(map(kind, rows)):
        bars = [(number, row[y]) for number, row in enumerate(rows, 1) if kind(row) == each]
        axes.bar(*zip(*bars), label=each)
    axes.set(xlabel=x, ylabel=_label(y))


def _phases(result, axes, y="T"):
    _bars(_with(result.rows("phase_reports"), y), axes, "phase", y, lambda row: row["kernel"])
    axes.legend(fontsize="small")


def _steps(result, axes, y="active"):
    _bars(_with(result.rows("step_reports"), y), axes, "step", y, lambda row: None)


def _beside(axes, names, values, xlabel):
    """A bar for each name, the first above."""
    axes.barh(range(len(names)), values)
    axes.set(xlabel=xlabel, yticks=range(len(names)), yticklabels=names)
    axes.invert_yaxis()


def _kernels(result, axes, y="predicted_ms"):
    rows = _with(result.rows("kernels"), y)
    _beside(axes, [row["name"] for row in rows], [row[y] for row in rows], _label(y))


def _costliest(result, axes, y="time", most=20):
    rows = sorted(_with(result.rows("lines"), y), key=lambda row: -row[y])[:most]
    _beside(axes, [f"{row['file'].rpartition('/')[2]}:{row['line']}" for row in rows], [row[y] for row in rows], _label(y))


def _marks(result, axes):
    """The marks of each answer; of one alone, the costs beside their bounds."""
    if "answers" in result:
        rows = result.rows("answers")
        _beside(axes, [f"{row['student']}, {row['exercise']}" for row in rows], [row["marks"] for row in rows], "marks")
    else:
        rows = result.rows("costs")
        _beside(axes, [row["cost"] for row in rows], [row["paid"] / row["bound"] for row in rows], "paid / bound")


def _parts(result, axes):
    rows = result.rows("resources")
    _beside(axes, [row["resource"] for row in rows], [row["part_ms"] for row in rows], "part of the predicted time (ms)")


def _times(result, axes):
    rows = _with(result.rows("algorithms.rows"), "predicted_ms")
    for limit in dict.fromkeys(row["limit"] for row in rows):
        of_limit = [row for row in rows if row["limit"] == limit]
        axes.loglog([row["measured_ms"] for row in of_limit], [row["predicted_ms"] for row in of_limit], ".", label=limit)
    axes.axline((1, 1), (10, 10), color="gray", linewidth=1)
    axes.set(xlabel="measured (ms)", ylabel="predicted (ms)")
    axes.legend(title="limited by")


def _errors(result, axes):
    rows = result.rows("algorithms")
    _beside(axes, [row["predicted"] for row in rows], [100 * row["mape"] for row in rows],
            "mean error of the predicted time (%), fitted to the other algorithms")


def _engines(result, axes):
    operations = result.rows("operations")
    engines = list(dict.fromkeys(each["engine"] for each in operations))
    for place, engine in enumerate(engines):
        of_engine = [each for each in operations if each["engine"] == engine]
        spans = [(each["begin_seconds"], each["end_seconds"] - each["begin_seconds"]) for each in of_engine]
        axes.broken_barh(spans, (place - 0.4, 0.8))
    axes.set(xlabel="seconds", yticks=range(len(engines)), yticklabels=engines)
    axes.invert_yaxis()


# Commands that print JSON and write a page: command -> (its main table, the first of these that is there; what draws it).
COMMANDS = {
    "analyze": ("algorithms.rows", _times),
    "bounds": ("rows.sorts", _bounds),
    "calibrate": ("constants", None),
    "compare": ("machines.rows", _over_n("machines.rows", "contestant", "T")),
    "count": ("added", _over_n("added", "algorithm", "T")),
    "exec": ("kernels runs.steps", _kernels),
    "exercise check": ("", None),
    "exercise grade": ("answers of", _marks),
    "exercise list": ("exercises", None),
    "experiment": ("times rows comparison.panels.rows experiments", None),
    "import-counters": ("kernels", None),
    "list": ("algorithms", None),
    "measure": ("plans.runs", _over_n("plans.runs", "algorithm", "median_ms")),
    "merge": ("points", _over_n("points", "program", "T")),
    "pipeline": ("steps tasks", _engines),
    "pram": ("step_reports variants algorithms", _steps),
    "ptx": ("lines findings", _costliest),
    "run": ("phase_reports", _phases),
    "step": ("runs.steps", None),
    "sweep": ("points", _over_n("points", "program", "T")),
    "validate": ("algorithms", _errors),
    "why": ("resources", _parts),
}
