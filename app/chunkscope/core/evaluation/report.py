"""A run as one HTML file: nothing is loaded from anywhere, every row tells its command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from chunkscope.core.evaluation.bootstrap import Verdict
from chunkscope.core.evaluation.effects import effect, pair_effect, varied
from chunkscope.core.evaluation.figures import Series, chart, heat_map, interval_bar
from chunkscope.core.evaluation.results import GroupResult, RecipeLine, failures_of, pareto
from chunkscope.core.evaluation.robustness import Robustness
from chunkscope.core.evaluation.run import Run
from chunkscope.core.evaluation.scores import Row

_LINES = 6
_NAMED = 4
_STYLE = """
:root{color-scheme:light dark;--line:#8884;--soft:#8881}
body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2.2rem;border-bottom:1px solid var(--line)}
table{border-collapse:collapse;width:100%}td,th{padding:.3rem .5rem;text-align:right;
border-bottom:1px solid var(--line);vertical-align:top}
td:first-child,th:first-child{text-align:left}
th{position:sticky;top:0;background:Canvas}tr.dropped{opacity:.6}tr:hover{background:var(--soft)}
svg{width:100%;height:auto;max-width:46rem}svg text{fill:CanvasText;font:12px system-ui,sans-serif}
svg .grid{stroke:var(--line)}svg.bar{width:160px;max-width:160px}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;padding:0;font-size:.9em}
.legend span{display:inline-block;width:.8em;height:.8em;margin-right:.4em;border-radius:2px}
.verdict{padding:.8rem 1rem;background:var(--soft);border-left:4px solid #0072b2}
pre,code{font:12.5px/1.45 ui-monospace,monospace}pre{white-space:pre-wrap;overflow-wrap:anywhere;
background:var(--soft);padding:.5rem}details{margin:.2rem 0}.wide{overflow-x:auto}
"""


def report(
    run: Run,
    groups: Mapping[str, Sequence[GroupResult]] | None = None,
    lines: Sequence[RecipeLine] = (),
    robustness: Robustness | None = None,
    sweep_file: str = "",
) -> str:
    """The whole page."""
    rows = run.ranked
    verdict = run.verdict()
    parts = [_head(run), _verdict(run, rows, verdict), _leaderboard(run)]
    if rows:
        parts += [_budgets(run, rows), _tokens(run, rows), _effects(run, rows)]
        parts += [_failures(rows)]
    for kind, results in (groups or {}).items():
        parts.append(_groups(kind, results))
    parts += [_recipe(lines), _robustness(run, robustness), _commands(run, sweep_file)]
    title = escape(f"{run.origin.name}: tuning report")
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{title}</title><style>{_STYLE}</style></head><body>{''.join(parts)}"
        "</body></html>\n"
    )


def _head(run: Run) -> str:
    origin = run.origin
    versions = ", ".join(f"{name} {version}" for name, version in origin.versions)
    questions = len(run.rows[0].questions) if run.ranked else 0
    return (
        f"<h1>{escape(origin.name)}</h1><p>{len(run.rows)} configurations, {questions} questions, "
        f"{len(origin.documents)} documents, {escape(run.started)} to {escape(run.finished)}."
        f"{'' if run.is_complete else ' <strong>Stopped before the end.</strong>'}<br>"
        f"Run <code>{escape(run.id)}</code>, questions <code>{escape(origin.query_hash[:12])}"
        f"</code>, seed {origin.settings.seed}; {escape(versions)}.</p>"
    )


def told(verdict: Verdict | None, rows: Sequence[Row], measure: str) -> str:
    """What may be said, in sentences."""
    if verdict is None:
        return "Nothing was tried to the end."
    if verdict.winner is not None:
        row, found = rows[verdict.winner], verdict.intervals[verdict.winner]
        return (
            f"{row.name} wins by {measure}: {found.mean:.1%} ({found.low:.1%}–{found.high:.1%}), "
            f"best in {verdict.best_share[verdict.winner]:.0%} of resamples."
        )
    names = ", ".join(rows[at].name for at in verdict.tied[:_NAMED])
    names += f" and {len(verdict.tied) - _NAMED} more" if len(verdict.tied) > _NAMED else ""
    cheap = rows[verdict.cheapest]
    more = verdict.more_questions
    hint = (
        f"About {more:,} more question{'' if more == 1 else 's'} would decide."
        if more
        else "Their scores are too much alike for any number of questions to decide."
    )
    return (
        f"No winner by {measure}: {len(verdict.tied)} cannot be told apart ({names}). "
        f"The cheapest of them is {cheap.name} ({cheap.mean('tokens'):,.0f} tokens a question). "
        f"{hint}"
    )


def _verdict(run: Run, rows: Sequence[Row], verdict: Verdict | None) -> str:
    sentence = told(verdict, rows, run.origin.settings.headline)
    failures = "".join(f"<li>{escape(each)}</li>" for each in run.failures)
    failed = f"<p>Not tried:</p><ul>{failures}</ul>" if failures else ""
    return f'<p class="verdict">{escape(sentence)}</p>{failed}'


def _leaderboard(run: Run) -> str:
    settings = run.origin.settings
    headline = settings.headline
    found = [row.intervals[headline] for row in run.ranked if headline in row.intervals]
    least = min((each.low for each in found), default=0.0)
    most = max((each.high for each in found), default=1.0)
    heads = ("configuration", headline, "95 % interval", f"recall@{settings.k}", "nDCG", "MRR",
             "precision Ω", "whole", "tokens", "chunks")  # fmt: skip
    lines = []
    for row in run.rows:
        cells = _cells(row, headline, least, most)
        kind = "" if row.dropped_after is None else ' class="dropped"'
        lines.append(f"<tr{kind}>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>")
    return f"<h2>Leaderboard</h2>{_table(heads, lines)}"


def _cells(row: Row, headline: str, least: float, most: float) -> list[str]:
    name = escape(row.name)
    bar = ""
    if row.dropped_after is not None:
        name += f"<br><small>dropped after {row.dropped_after} questions</small>"
    elif headline in row.intervals:
        found = row.intervals[headline]
        bar = interval_bar(found.low, found.mean, found.high, least, most)
    measures = ("recall", "ndcg", "mrr", "precision_omega")
    return [
        name,
        f"{row.mean(headline):.1%}",
        bar,
        *(f"{row.mean(measure):.1%}" for measure in measures),
        f"{row.whole_share:.1%}",
        f"{row.mean('tokens'):,.0f}",
        f"{row.chunks:,}",
    ]


def _table(heads: Sequence[str], lines: Sequence[str]) -> str:
    head = "".join(f"<th>{escape(each)}</th>" for each in heads)
    return f'<div class="wide"><table><tr>{head}</tr>{"".join(lines)}</table></div>'


def _budgets(run: Run, rows: Sequence[Row]) -> str:
    budgets = run.origin.settings.budgets
    if len(budgets) < 2:
        return ""
    series = [
        Series(row.name, [(budget, row.mean(f"R@{budget}")) for budget in budgets])
        for row in rows[:_LINES]
    ]
    figure = chart(series, "token budget", "recall", is_logarithmic=True, ticks=budgets)
    return f"<h2>Recall against the token budget</h2>{figure}"


def _tokens(run: Run, rows: Sequence[Row]) -> str:
    def point(row: Row) -> tuple[float, float]:
        return row.mean("tokens"), row.mean("recall")

    front = pareto(rows, "recall")
    series = [
        Series("all", [point(row) for row in rows], [row.name for row in rows], is_joined=False),
        Series("not beaten", [point(row) for row in front], [row.name for row in front]),
    ]
    k = run.origin.settings.k
    return f"<h2>Recall@{k} against tokens</h2>{chart(series, 'tokens a question', 'recall')}"


def _effects(run: Run, rows: Sequence[Row]) -> str:
    headline = run.origin.settings.headline
    names = varied(rows)
    if not names:
        return ""
    lines = [
        f"<tr><td>{escape(name)}</td><td>{escape(value)}</td><td>{mean:.1%}</td><td>{count}</td></tr>"
        for name in names
        for value, (mean, count) in effect(rows, name, headline).items()
    ]
    heads = ("parameter", "value", f"mean {headline}", "configurations")
    found = f"<h2>Effect of each parameter</h2>{_table(heads, lines)}"
    if len(names) < 2:
        return found
    ordered = sorted(names, key=lambda name: -_reach(rows, name, headline))[:2]
    values = pair_effect(rows, ordered[0], ordered[1], headline)
    return f"{found}<h2>The two that matter most</h2>{heat_map(values, ordered[0], ordered[1])}"


def _reach(rows: Sequence[Row], name: str, headline: str) -> float:
    means = [mean for mean, _ in effect(rows, name, headline).values()]
    return max(means) - min(means)


def _failures(rows: Sequence[Row]) -> str:
    causes = list(dict.fromkeys(cause for row in rows for cause in failures_of(row) if cause))
    lines = []
    for row in rows:
        found = failures_of(row)
        cells = "".join(f"<td>{found.get(cause, 0)}</td>" for cause in causes)
        lines.append(f"<tr><td>{escape(row.name)}</td>{cells}</tr>")
    if not causes:
        return ""
    return f"<h2>Why answers are missing</h2>{_table(('configuration', *causes), lines)}"


def _groups(kind: str, results: Sequence[GroupResult]) -> str:
    names = list(dict.fromkeys(each.group for each in results))
    if not names:
        return ""
    rows = list({each.row.configuration.key: each.row for each in results}.values())[:12]
    found = {(each.group, each.row.configuration.key): each for each in results}
    counts = {each.group: each.questions for each in results}
    lines = []
    for row in rows:
        cells = [found.get((name, row.configuration.key)) for name in names]
        inner = "".join(f"<td>{each.mean:.1%}</td>" if each else "<td></td>" for each in cells)
        lines.append(f"<tr><td>{escape(row.name)}</td>{inner}</tr>")
    heads = ("configuration", *(f"{name} ({counts[name]})" for name in names))
    return f"<h2>By {escape(kind)}</h2>{_table(heads, lines)}"


def _recipe(lines: Sequence[RecipeLine]) -> str:
    if not lines:
        return ""
    rows = []
    for line in lines:
        certain = "yes" if line.is_certain else "tied, the cheapest"
        cells = (escape(line.group), escape(line.row.name), f"{line.mean:.1%}", line.questions)
        rows.append(f"<tr>{''.join(f'<td>{each}</td>' for each in (*cells, certain))}</tr>")
    heads = ("type", "configuration", "mean", "questions", "certain")
    return f"<h2>Best for each type of document</h2>{_table(heads, rows)}"


def _robustness(run: Run, robustness: Robustness | None) -> str:
    if robustness is None:
        return ""
    headline = run.origin.settings.headline
    values = robustness.values(headline)
    lines = [
        f"<tr><td>{escape(name)}</td><td>{value:.1%}</td></tr>" for name, value in values.items()
    ]
    return (
        f"<h2>Robustness of {escape(robustness.row.name)}</h2>"
        f"<p>Spread {robustness.spread(headline):.1%} over questions that all can be asked.</p>"
        f"{_table(('variation', headline), lines)}"
    )


def _commands(run: Run, sweep_file: str) -> str:
    documents = [source for source, _ in run.origin.documents]
    parts = []
    if sweep_file:
        parts.append(f"<p>All of it:</p><pre>{escape(f'chunkscope tune {sweep_file}')}</pre>")
    for row in run.rows:
        command = row.configuration.command(run.origin.queries, documents, run.origin.settings.k)
        parts.append(
            f"<details><summary>{escape(row.name)}</summary><pre>{escape(command)}</pre></details>"
        )
    return f"<h2>Commands that give these rows again</h2>{''.join(parts)}"
