"""Prints the crates that the members of a Rust tree use: {crate: place}, one JSON object.

There is no parser of Rust here, so this is text: a dependency of a manifest (neither dev nor build) is used if a file of that
member's `src` names its crate before `::`, in `use`, in `extern crate` or as the module of an attribute, outside of comments and
of what follows `#[cfg(test)]`. Standard input: the paths of all Cargo.toml, one a line.
"""
import json
import os
import re
import sys
import tomllib

found = {}
own = {"tiny-bip39": "bip39", "rust-argon2": "argon2", "md-5": "md5", "rust-ini": "ini", "wasm-bindgen-futures": "wasm_bindgen_futures"}


def dependencies(manifest):
    tables = [manifest.get("dependencies", {})]
    tables += [each.get("dependencies", {}) for each in manifest.get("target", {}).values()]
    for table in tables:
        for key, value in table.items():
            renamed = value.get("package") if isinstance(value, dict) else None
            yield renamed or key, key.replace("-", "_") if renamed else own.get(key, key).replace("-", "_")


def sources(folder):
    for place, folders, files in os.walk(folder):
        folders[:] = [each for each in folders if each not in ("tests", "test", "target", "benches", "examples")]
        yield from (os.path.join(place, each) for each in files if each.endswith(".rs"))


for line in sys.stdin:
    path = line.rstrip("\n")
    try:
        with open(path, "rb") as file:
            manifest = tomllib.load(file)
    except (OSError, ValueError):
        continue
    folder = os.path.join(os.path.dirname(path), "src")
    wanted = dict(dependencies(manifest))
    for source in sorted(sources(folder)):
        if re.search(r"(^|[/_])tests?\.rs$", source):
            continue
        with open(source, encoding="utf8", errors="replace") as file:
            text = file.read().split("#[cfg(test)]")[0]
        text = re.sub(r"//.*|/\*.*?\*/", "", text)
        for package, crate in wanted.items():
            if package in found:
                continue
            name = re.escape(crate)
            match = re.search(rf"(?<![\w:]){name}\s*::|\b(use|extern crate)\s+{name}\b|with\s*=\s*\"{name}\b", text)
            if match:
                found[package] = f"{source}:{text.count(chr(10), 0, match.start()) + 1}"
print(json.dumps(found))
