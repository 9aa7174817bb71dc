"""Prints what the production files of a tree import, by Python's own parser: one JSON object {module: place}.

Reads the files' paths from standard input, one a line. Left out is what only a type checker imports. String constants of
settings that are dotted module paths are printed under "strings".
"""
import ast
import json
import sys

modules, strings = {}, {}


def is_type_checking(test):
    return (isinstance(test, ast.Name) and test.id == "TYPE_CHECKING") or (
        isinstance(test, ast.Attribute) and test.attr == "TYPE_CHECKING"
    )


def visit(node, path):
    if isinstance(node, ast.If) and is_type_checking(node.test):
        for child in node.orelse:
            visit(child, path)
        return
    if isinstance(node, ast.Import):
        for alias in node.names:
            modules.setdefault(alias.name, f"{path}:{node.lineno}")
    elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
        modules.setdefault(node.module, f"{path}:{node.lineno}")
        for alias in node.names:
            modules.setdefault(f"{node.module}.{alias.name}", f"{path}:{node.lineno}")
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and "settings" in path:
        parts = node.value.split(".")
        if all(part.isidentifier() for part in parts) and len(node.value) > 3:
            strings.setdefault(node.value, f"{path}:{node.lineno}")
    for child in ast.iter_child_nodes(node):
        visit(child, path)


for line in sys.stdin:
    path = line.rstrip("\n")
    try:
        with open(path, "rb") as file:
            tree = ast.parse(file.read())
    except (SyntaxError, ValueError, OSError, RecursionError):
        continue
    visit(tree, path)
print(json.dumps({"modules": modules, "strings": strings}))
