"""What each programming language calls a symbol, and where the symbols of a text stand."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

Range = tuple[int, int]

_MAX_NAME = 200
_MAX_HEAD = 2000
_MAX_DECLARATORS = 64
_FUNCTION = "[(arrow_function) (function_expression) (generator_function) (class)]"


@dataclass(frozen=True, slots=True)
class Grammar:
    """A language: its syntax, and its node types by what they mean for blocks.

    A wrapper (an export, a template) belongs to the one symbol in it; an extra (a comment, an
    attribute) belongs to the symbol right below it. `patterns` are symbols that need more than a
    type to be recognised.
    """

    label: str
    media_type: str
    pointer: Callable[[], object]
    symbols: str
    wrappers: str
    extras: str
    patterns: str = ""

    def query(self) -> str:
        parts = [f"{_any_of(self.symbols)} @symbol", f"{_any_of(self.extras)} @extra"]
        if self.wrappers:
            parts.append(f"{_any_of(self.wrappers)} @wrapper")
        return "\n".join([*parts, self.patterns])


def _any_of(types: str) -> str:
    return "[" + " ".join(f"({name})" for name in types.split()) + "]"


@dataclass(frozen=True, slots=True)
class Symbol:
    """A named piece of code in bytes; `scope` is what the names inside it start with."""

    start: int
    end: int
    kind: str
    label: str
    scope: str


@dataclass(frozen=True, slots=True)
class Outline:
    """All that the blocks are made from, in bytes, ordered by start and outer before inner."""

    symbols: list[Symbol]
    wrappers: list[Range]
    extras: list[Range]
    head: list[Range]  # the comments that the text starts with, then a module's docstring
    errors: int
    first_error: int


def outline(data: bytes, grammar: Grammar) -> Outline:
    """Parse UTF-8 and collect its symbols by one query: no step is taken in Python per node."""
    from tree_sitter import Language, Parser, Query, QueryCursor

    language = Language(grammar.pointer())
    # Given as bytes: a progress callback crashes tree-sitter 0.26.0.
    tree = Parser(language).parse(data)
    found = QueryCursor(Query(language, grammar.query())).captures(tree.root_node)
    errors: list[Node] = []
    if tree.root_node.has_error:
        query = Query(language, "(ERROR) @error (MISSING) @error")
        errors = QueryCursor(query).captures(tree.root_node).get("error", [])
    return Outline(
        _symbols(found.get("symbol", []), data),
        _ranges(found.get("wrapper", [])),
        _ranges(found.get("extra", [])),
        _head(tree, grammar),
        len(errors),
        min((node.start_byte for node in errors), default=0),
    )


def _ranges(nodes: list[Node]) -> list[Range]:
    # Captures come in no particular order.
    return sorted({node.byte_range for node in nodes}, key=_outer_first)


def _outer_first(span: Range) -> Range:
    return span[0], -span[1]


def _symbols(nodes: list[Node], data: bytes) -> list[Symbol]:
    found: dict[Range, Symbol] = {}
    for node in nodes:
        label, scope = _names(node, data)
        if label:
            start, end = node.byte_range
            found[start, end] = Symbol(start, end, node.type, label, scope)
    return [found[span] for span in sorted(found, key=_outer_first)]


def _head(tree: Tree, grammar: Grammar) -> list[Range]:
    extras = set(grammar.extras.split())
    found: list[Range] = []
    cursor = tree.walk()
    more = cursor.goto_first_child()
    while more and len(found) < _MAX_HEAD and (node := cursor.node) is not None:
        if node.type not in extras:
            is_text = node.type == "expression_statement" and node.named_child_count == 1
            if is_text and (inner := node.named_child(0)) and inner.type == "string":
                found.append(node.byte_range)
            break
        found.append(node.byte_range)
        more = cursor.goto_next_sibling()
    return found


_FIELDS = {
    "assignment": "left",
    "assignment_expression": "left",
    "field_definition": "property",
    "let_declaration": "pattern",
    "pair": "key",
    "short_var_declaration": "left",
    "type_alias_statement": "left",
}


def _names(node: Node, data: bytes) -> tuple[str, str]:
    """The name of a symbol and the scope that it opens; both empty when it has none."""
    if node.type == "impl_item":
        return _impl_names(node, data)
    if node.type == "export_statement":
        return "default", "default"
    if node.type == "namespace_definition" and node.child_by_field_name("name") is None:
        return "(anonymous)", "(anonymous)"
    named = node.child_by_field_name(_FIELDS.get(node.type, "name")) or _declared(node)
    name = _plain_name(_text(named, data))
    receiver = node.child_by_field_name("receiver")
    if name and receiver is not None:
        owner = re.search(r"([\w]+)\s*(?:\[[^\]]*\]\s*)?,?\s*\)$", _text(receiver, data))
        name = f"{owner[1]}.{name}" if owner else name
    return name, name


def _impl_names(node: Node, data: bytes) -> tuple[str, str]:
    owner = _plain_name(_text(node.child_by_field_name("type"), data).lstrip("&"))
    trait = _plain_name(_text(node.child_by_field_name("trait"), data))
    return (f"impl {trait} for {owner}" if trait else f"impl {owner}") if owner else "", owner


def _declared(node: Node) -> Node | None:
    """The name that a C declaration is wound around: `*(*name(int))(void)`."""
    inner = node.child_by_field_name("declarator")
    for _ in range(_MAX_DECLARATORS):
        if inner is None or not inner.type.endswith("declarator"):
            return inner
        deeper = inner.child_by_field_name("declarator")
        if deeper is None and inner.named_child_count:
            deeper = inner.named_child(inner.named_child_count - 1)
        inner = deeper
    return None


def _text(node: Node | None, data: bytes) -> str:
    if node is None:
        return ""
    start, end = node.byte_range
    return data[start : min(end, start + 4 * _MAX_NAME)].decode("utf-8", "ignore")


def _plain_name(text: str) -> str:
    """A name as it is spoken of: no type arguments, no quotes, dots between its parts."""
    if "operator" in text:
        text = re.sub(r"(?<!operator)\(.*", "", text, flags=re.DOTALL)
    else:
        text = re.sub(r"<[^()]*>", "", text)
    text = " ".join(text.replace("::", ".").replace(".prototype.", ".").split())
    return text.strip("\"'` .")[:_MAX_NAME]


def _python() -> object:
    import tree_sitter_python

    return tree_sitter_python.language()


def _javascript() -> object:
    import tree_sitter_javascript

    return tree_sitter_javascript.language()


def _typescript() -> object:
    import tree_sitter_typescript

    return tree_sitter_typescript.language_typescript()


def _tsx() -> object:
    import tree_sitter_typescript

    return tree_sitter_typescript.language_tsx()


def _java() -> object:
    import tree_sitter_java

    return tree_sitter_java.language()


def _c() -> object:
    import tree_sitter_c

    return tree_sitter_c.language()


def _cpp() -> object:
    import tree_sitter_cpp

    return tree_sitter_cpp.language()


def _go() -> object:
    import tree_sitter_go

    return tree_sitter_go.language()


def _rust() -> object:
    import tree_sitter_rust

    return tree_sitter_rust.language()


_JS_SYMBOLS = (
    "function_declaration generator_function_declaration class_declaration method_definition"
)
_JS_PATTERNS = f"""
(variable_declarator name: (identifier) value: {_FUNCTION}) @symbol
(assignment_expression left: [(identifier) (member_expression)] right: {_FUNCTION}) @symbol
(pair key: [(property_identifier) (string)] value: {_FUNCTION}) @symbol
(export_statement value: {_FUNCTION}) @symbol
"""
_JS_WRAPPERS = "export_statement lexical_declaration variable_declaration expression_statement"
_TS_SYMBOLS = (
    f"{_JS_SYMBOLS} abstract_class_declaration interface_declaration enum_declaration "
    "type_alias_declaration internal_module module function_signature abstract_method_signature"
)
_TS_PATTERNS = f"{_JS_PATTERNS} (public_field_definition value: {_FUNCTION}) @symbol"
_C_SYMBOLS = "function_definition type_definition"
_C_PATTERNS = """
(struct_specifier name: (_) body: (_)) @symbol
(union_specifier name: (_) body: (_)) @symbol
(enum_specifier name: (_) body: (_)) @symbol
"""

GRAMMARS = {
    "python": Grammar(
        "Python",
        "text/x-python",
        _python,
        "function_definition class_definition type_alias_statement",
        "decorated_definition",
        "comment",
        "(assignment left: (identifier) right: (lambda)) @symbol",
    ),
    "javascript": Grammar(
        "JavaScript",
        "text/javascript",
        _javascript,
        _JS_SYMBOLS,
        _JS_WRAPPERS,
        "comment decorator hash_bang_line",
        f"{_JS_PATTERNS} (field_definition value: {_FUNCTION}) @symbol",
    ),
    "typescript": Grammar(
        "TypeScript",
        "text/x-typescript",
        _typescript,
        _TS_SYMBOLS,
        f"{_JS_WRAPPERS} ambient_declaration",
        "comment decorator hash_bang_line",
        _TS_PATTERNS,
    ),
    "tsx": Grammar(
        "TypeScript",
        "text/x-typescript",
        _tsx,
        _TS_SYMBOLS,
        f"{_JS_WRAPPERS} ambient_declaration",
        "comment decorator hash_bang_line",
        _TS_PATTERNS,
    ),
    "java": Grammar(
        "Java",
        "text/x-java",
        _java,
        "class_declaration interface_declaration enum_declaration record_declaration "
        "annotation_type_declaration method_declaration constructor_declaration "
        "compact_constructor_declaration module_declaration",
        "",
        "line_comment block_comment",
    ),
    "c": Grammar("C", "text/x-c", _c, _C_SYMBOLS, "declaration", "comment", _C_PATTERNS),
    "cpp": Grammar(
        "C++",
        "text/x-c++",
        _cpp,
        f"{_C_SYMBOLS} namespace_definition concept_definition alias_declaration",
        "template_declaration declaration",
        "comment",
        f"""{_C_PATTERNS} (class_specifier name: (_) body: (_)) @symbol
        (init_declarator value: (lambda_expression)) @symbol""",
    ),
    "go": Grammar(
        "Go",
        "text/x-go",
        _go,
        "function_declaration method_declaration type_spec type_alias",
        "type_declaration var_declaration",
        "comment",
        """(var_spec name: (identifier) value: (expression_list . (func_literal) .)) @symbol
        (short_var_declaration left: (expression_list . (identifier) .)
          right: (expression_list . (func_literal) .)) @symbol""",
    ),
    "rust": Grammar(
        "Rust",
        "text/x-rust",
        _rust,
        "function_item function_signature_item struct_item enum_item union_item trait_item "
        "impl_item mod_item type_item macro_definition",
        "",
        "line_comment block_comment attribute_item",
        "(let_declaration pattern: (identifier) value: (closure_expression)) @symbol",
    ),
}
