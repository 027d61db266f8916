"""`chunkscope search`, `context` and `why-not`: what an index answers, and why."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from typing import TYPE_CHECKING

from chunkscope.cli.output import plain, say, tell
from chunkscope.cli.place import add_workspace, opened
from chunkscope.core.errors import WrongUsage

if TYPE_CHECKING:
    from chunkscope.core.search.context import Context
    from chunkscope.core.search.model import Hit, SearchResult
    from chunkscope.core.search.options import SearchOptions
    from chunkscope.core.search.why_not import WhyNot

Commands = argparse._SubParsersAction
_BOLD, _DIM, _PLAIN = "\033[1m", "\033[2m", "\033[0m"


def add(commands: Commands[argparse.ArgumentParser]) -> None:
    _add_search(commands)
    _add_context(commands)
    _add_why_not(commands)


def _add_search(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "search",
        help="find passages in a workspace",
        description='Find passages. "Double quotes" make phrases that must match.',
    )
    _add_query(parser)
    parser.add_argument("--explain", action="store_true", help="tell each candidate's whole way")
    parser.set_defaults(command=_search)


def _add_context(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "context",
        help="write the context that a language model would get",
        description="Pack the best passages into a budget of tokens, with their sources.",
    )
    _add_query(parser)
    parser.add_argument(
        "--budget", type=int, default=8_000, metavar="N", help="tokens in all (default 8000)"
    )
    parser.add_argument(
        "--context-tokenizer", default="cl100k_base", metavar="NAME", help="counts the budget"
    )
    parser.add_argument(
        "--template", default="attributed", metavar="NAME",
        help="attributed (default), plain, markdown or xml",
    )  # fmt: skip
    parser.set_defaults(command=_context)


def _add_why_not(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "why-not",
        help="tell why a passage is not among the results",
        description="Where the chunks of a passage rank, what beat them, and what would help.",
    )
    _add_query(parser)
    parser.add_argument("--document", required=True, metavar="ID", help="id, source or title")
    parser.add_argument("--span", required=True, metavar="A:B", help="characters of its text")
    parser.set_defaults(command=_why_not)


def _add_query(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", metavar="QUERY", help="what to look for")
    add_workspace(parser)
    parser.add_argument(
        "--profile", default="", metavar="NAME", help="search under this profile (default: newest)"
    )
    parser.add_argument(
        "--mode", metavar="MODE", help="lexical, semantic, hybrid (default) or routed"
    )
    parser.add_argument("-k", type=int, metavar="N", help="how many results (default 10)")
    parser.add_argument("--neighbours", type=int, metavar="N", help="stitched on at each side")
    parser.add_argument(
        "--rerank", metavar="HOW", help="bi-encoder, late-interaction or cross-encoder"
    )
    parser.add_argument("--cross-encoder", metavar="FOLDER", help="model for --rerank")
    parser.add_argument(
        "--set", metavar="KEY=VALUE", action="append", default=[], dest="values",
        help="any other setting of a search; may be repeated",
    )  # fmt: skip


def search_options(options: argparse.Namespace) -> SearchOptions:
    """The settings that the command line describes."""
    from chunkscope.core.search.options import SearchOptions

    values = {}
    for name in ("mode", "k", "neighbours", "rerank", "cross_encoder"):
        given = getattr(options, name)
        if given is not None:
            values[name] = str(given)
    if options.cross_encoder and options.rerank is None:
        values["rerank"] = "cross-encoder"
    for text in options.values:
        name, sign, value = text.partition("=")
        if not sign:
            raise WrongUsage(f"--set wants KEY=VALUE, not {text!r}")
        values[name.strip()] = value
    return SearchOptions().with_texts(values)


def _search(options: argparse.Namespace) -> int:
    from chunkscope.core.search.explain import result_record

    chosen = search_options(options)
    with opened(options) as workspace:
        result = workspace.search(options.query, options.profile, chosen)
    if options.json:
        record = result_record(result, with_waterfall=options.explain)
        say(json.dumps(record, ensure_ascii=False, indent=1))
        return 0
    _show(result)
    if options.explain:
        _show_waterfall(result)
    return 0


def _context(options: argparse.Namespace) -> int:
    from chunkscope.core.search.explain import context_record

    if options.budget < 1:
        raise WrongUsage(f"--budget must be at least 1, not {options.budget}")
    chosen = search_options(options)
    with opened(options) as workspace:
        result = workspace.search(options.query, options.profile, chosen)
        context = workspace.context(
            result,
            budget=options.budget,
            tokenizer=options.context_tokenizer,
            template=options.template,
        )
    if options.json:
        record = {"query": result.query, "notes": list(result.notes), **context_record(context)}
        say(json.dumps(record, ensure_ascii=False, indent=1))
    else:
        _show_context(result, context)
    return 0


def _why_not(options: argparse.Namespace) -> int:
    chosen = search_options(options)
    start, end = _span(options.span)
    with opened(options) as workspace:
        found = workspace.why_not(
            options.query, options.document, start, end, options.profile, chosen
        )
    if options.json:
        say(json.dumps(found.record(), ensure_ascii=False, indent=1))
    else:
        _show_absence(found)
    return 0


def _span(text: str) -> tuple[int, int]:
    first, sign, last = text.partition(":")
    try:
        if not sign:
            raise ValueError
        return int(first), int(last)
    except ValueError:
        raise WrongUsage(f"--span wants two numbers like 100:250, not {text!r}") from None


def _show(result: SearchResult) -> None:
    for note in result.notes:
        tell(note)
    for hit in result.hits:
        _show_hit(hit)


def _show_hit(hit: Hit) -> None:
    chunk = hit.chunk
    place = " > ".join(chunk.heading_chain)
    page = f", page {chunk.page}" if chunk.page is not None else ""
    title = _styled(plain(chunk.title), _BOLD)
    say(f"{hit.rank}. {title}{page}" + (f" · {plain(place)}" if place else ""))
    told = [
        f"{name} {value:.3f}"
        for name, value in zip(hit.scores._fields, hit.scores, strict=True)
        if value is not None
    ]
    told += [
        f"{name} #{rank}"
        for name, rank in (("lexical", hit.ranks.lexical), ("semantic", hit.ranks.semantic))
        if rank
    ]
    if hit.matched_terms:
        terms = (f"{term.term} {term.share:.0%}" for term in hit.matched_terms)
        told.append(f"matched {', '.join(terms)}")
    say(f"   {_styled(plain(' · '.join(told)), _DIM)}")
    tell(f"   {chunk.source} [{chunk.start}:{chunk.end}]")
    tell(f"   {_shortened(hit.text)}")
    say("")


def _show_waterfall(result: SearchResult) -> None:
    tell(f"{'stage':12} {'given':>8} {'kept':>8} {'ms':>8}")
    for stage in result.waterfall.stages:
        tell(
            f"{stage.name:12} {stage.given:8,} {stage.kept:8,} {stage.milliseconds:8.1f}  "
            f"{stage.note}"
        )
    say(f"\n{'rank':>5} {'lex':>5} {'sem':>5} {'fused':>5} {'rerank':>6}  chunk")
    for each in result.waterfall.candidates:
        ranks = (each.rank, each.ranks.lexical, each.ranks.semantic, each.ranks.fused)
        cells = " ".join(f"{rank or '–':>5}" for rank in ranks)
        why = f"  ({each.stage}: {each.rule})" if each.rule else ""
        tell(f"{cells} {each.ranks.reranked or '–':>6}  {each.chunk_id}{why}")


def _show_context(result: SearchResult, context: Context) -> None:
    """The text alone on stdout, what is told about it on stderr."""
    for note in result.notes:
        tell(note, sys.stderr)
    if context.text:
        say(context.text)
    tell(
        f"{context.tokens:,} of {context.budget:,} {context.tokenizer} tokens, "
        f"{len(context.included)} of {len(result.hits)} results",
        sys.stderr,
    )
    for each in context.left_out:
        tell(f"left out: {each.what} of result {each.rank} ({each.rule})", sys.stderr)


def _show_absence(found: WhyNot) -> None:
    tell(f"{found.title} [{found.start}:{found.end}]")
    for each in found.chunks:
        tell(f"  {each.chunk.id} [{each.chunk.start}:{each.chunk.end}]")
        bm25 = f" (BM25 {each.bm25:.3f})" if each.bm25 is not None else ""
        cosine = f" (cosine {each.cosine:.3f})" if each.cosine is not None else ""
        tell(
            f"    words: {_rank(each.lexical_rank)}{bm25} · "
            f"meaning: {_rank(each.semantic_rank)}{cosine} · together: {_rank(each.fused_rank)}"
        )
        if each.rule:
            tell(f"    {each.rule}")
    if found.beaten_by:
        tell("  beaten by")
        for hit in found.beaten_by:
            tell(f"    {hit.rank}. {hit.chunk.title} [{hit.chunk.start}:{hit.chunk.end}]")
    for line in found.advice:
        tell(f"  → {line}")


def _rank(rank: int | None) -> str:
    return f"rank {rank:,}" if rank else "no rank"


def _shortened(text: str) -> str:
    width = 2 * max(shutil.get_terminal_size().columns - 6, 40)
    flat = " ".join(plain(text).split())
    return flat if len(flat) <= width else flat[: width - 1] + "…"


def _styled(text: str, style: str) -> str:
    return f"{style}{text}{_PLAIN}" if sys.stdout.isatty() else text
