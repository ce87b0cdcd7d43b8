#!/usr/bin/env python3
"""Inputs that try to exhaust a reader: `hostile.py DIR [NAME...]` writes them, `--list` names them.

`hostile.py DIR --run PORTCULLIS POLICIES` also measures `apply` on each: seconds, peak memory in MB, the bar of
ten times the file plus 64 MB, and the exit status.
"""

import argparse
import os
import pathlib
import resource
import sys
import time

HEAD = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: big, namespace: default}\n"
JSON_HEAD = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"big","namespace":"default"},'
CUSTOM = "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: big, namespace: default}\n"
MILLION = 1_000_000


def lines(form, count):
    return (form % i for i in range(count))


def pod(count):
    yield "apiVersion: v1\nkind: Pod\nmetadata: {name: big, namespace: default}\nspec:\n  containers:\n"
    yield from lines("  - name: c%d\n    image: registry.example.com/app:1.2.3\n", count)


def bomb():
    yield "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for i in range(1, 12):
        yield "a%d: &a%d [%s]\n" % (i, i, ", ".join(["*a%d" % (i - 1)] * 10))


INPUTS = {
    "keys.yaml": lambda: [HEAD, "data:\n", *lines('  k%07d: ""\n', MILLION)],
    "keys-flow.yaml": lambda: [HEAD, "data: {", *lines('k%07d: "",\n', MILLION), "}\n"],
    "keys.json": lambda: [JSON_HEAD, '"data":{', ",".join(lines('"k%07d":""', MILLION)), "}}\n"],
    "labels.yaml": lambda: [HEAD[:-26] + "\n  name: big\n  labels:\n", *lines('    k%07d: ""\n', MILLION)],
    "items.yaml": lambda: [CUSTOM, "spec:\n  items:\n", *lines("  - i%d\n", MILLION)],
    "items.json": lambda: [JSON_HEAD, '"items":[', ",".join(lines('"i%d"', MILLION)), "]}\n"],
    "nulls.json": lambda: [JSON_HEAD, '"items":[', ",".join(["0"] * 4 * MILLION), "]}\n"],
    "empty-maps.json": lambda: [JSON_HEAD, '"items":[', ",".join(['{"a":0}'] * MILLION), "]}\n"],
    "empty-maps.yaml": lambda: [CUSTOM, "items:\n", *["- a: 0\n"] * MILLION],
    "list.yaml": lambda: ["apiVersion: v1\nkind: List\nitems:\n", *lines(
        "- {apiVersion: v1, kind: ConfigMap, metadata: {name: c%d}}\n", MILLION)],
    "list.json": lambda: ['{"apiVersion":"v1","kind":"List","items":[', ",".join(lines(
        '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c%d"}}', MILLION)), "]}\n"],
    "documents.yaml": lambda: lines(
        "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c%d}\n", MILLION),
    "lines.json": lambda: lines(
        '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c%d"}}\n', MILLION),
    "small-kept.yaml": lambda: lines("---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c%d}\n", 36_000),
    "list-kept.json": lambda: ['{"apiVersion":"v1","kind":"List","items":[', ",".join(lines(
        '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c%d"}}', 30_000)), "]}\n"],
    "nested-list.yaml": lambda: [CUSTOM, "spec: ", "[" * 9_990, "]" * 9_990, "\n"],
    "nested-map.yaml": lambda: [CUSTOM, "spec: ", "{a: " * 9_990, "}" * 9_990, "\n"],
    "nested-map.json": lambda: [JSON_HEAD, '"spec":', '{"a":' * 9_990, "0", "}" * 9_990, "}\n"],
    "nested-block.yaml": lambda: [CUSTOM, "spec:\n", *(" " * (i + 1) + "a:\n" for i in range(9_900))],
    "nested-lists.yaml": lambda: [CUSTOM, "spec:\n", *["- " * 9_900 + "x\n"]],
    "nested-too-deep.yaml": lambda: [CUSTOM, "spec: ", "[" * 100_000],
    "nested-too-deep.json": lambda: [JSON_HEAD, '"spec":', "[" * MILLION],
    "scalar.yaml": lambda: [HEAD, "data:\n  a: ", "x" * (64 << 20), "\n"],
    "scalar-quoted.yaml": lambda: [HEAD, 'data:\n  a: "', "x\\n" * (21 << 20), '"\n'],
    "scalar-block.yaml": lambda: [HEAD, "data:\n  a: |\n", *["    xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n"] * (2 * MILLION - 200_000)],
    "scalar-words.yaml": lambda: [HEAD, "data:\n  a: ", "xxxxxxx " * (8 << 20), "\n"],
    "scalar.json": lambda: [JSON_HEAD, '"data":{"a":"', "x" * (64 << 20), '"}}\n'],
    "scalar-escaped.json": lambda: [JSON_HEAD, '"data":{"a":"', "\\n" * (32 << 20), '"}}\n'],
    "key.yaml": lambda: [HEAD, "data:\n  ? ", "x" * (64 << 20), "\n  : a\n"],
    "comment.yaml": lambda: [HEAD, "# ", "x" * (64 << 20), "\n"],
    "blank.yaml": lambda: [HEAD, "\n" * (64 << 20), "data: {}\n"],
    "dashes.yaml": lambda: [HEAD, "data: {}\n", "---\n" * (4 * MILLION)],
    "alias-bomb.yaml": lambda: [HEAD, *bomb()],
    "aliases.yaml": lambda: [CUSTOM, "a: &a x\nspec:\n", *["- *a\n"] * MILLION],
    "anchors.yaml": lambda: [CUSTOM, "spec:\n", *lines("- &a%d x\n", MILLION)],
    "anchors-aliases.yaml": lambda: [CUSTOM, "spec:\n", *lines("- &a%d x\n", 500_000), *lines("- *a%d\n", 500_000)],
    "merges.yaml": lambda: [CUSTOM, "a: &a {b: c}\nspec:\n", *["- <<: *a\n"] * 300_000],
    "duplicate-keys.yaml": lambda: [HEAD, "data:\n", *['  k: ""\n'] * MILLION],
    "duplicate-keys.json": lambda: [JSON_HEAD, '"data":{', ",".join(['"k":""'] * MILLION), "}}\n"],
    "tags.yaml": lambda: [CUSTOM, "spec:\n", *["- !!str x\n"] * MILLION],
    "flow-open.yaml": lambda: [CUSTOM, "spec: [", "a, " * (3 * MILLION)],
    "open.json": lambda: [JSON_HEAD, '"a":"', "x" * (64 << 20)],
    "numbers.yaml": lambda: [HEAD, "data:\n", *lines("  k%07d: 1\n", MILLION)],
    "types.json": lambda: ['[', ",".join(["1"] * MILLION), "]\n"],
    "scalars.yaml": lambda: ["---\n", *["x\n---\n"] * 500_000],
    "pod.yaml": lambda: pod(5_000),
}


def write(name, path):
    """In a process of its own: the peak memory of this one counts for what it starts."""
    pid = os.fork()
    if pid == 0:
        with open(path, "w", encoding="utf-8") as out:
            out.writelines(INPUTS[name]())
        os._exit(0)
    os.waitpid(pid, 0)


def measure(program, policies, path):
    started = time.monotonic()
    pid = os.fork()
    if pid == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        os.execv(program, [program, "apply", policies, "-r", str(path)])
    _, status, usage = os.wait4(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    return time.monotonic() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, code


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", nargs="?", default=".", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--run", nargs=2, metavar=("PORTCULLIS", "POLICIES"))
    args = parser.parse_args()
    if args.list:
        print("\n".join(INPUTS))
        return 0
    args.directory.mkdir(parents=True, exist_ok=True)
    over = 0
    for name in args.names or INPUTS:
        path = args.directory / name
        if not path.exists():
            write(name, path)
        if not args.run:
            continue
        size = path.stat().st_size / 1024 / 1024
        _, cpu, memory, code = measure(args.run[0], args.run[1], path)
        bar = 10 * size + 64
        over += memory > bar
        print("%-24s %6.1f MB  CPU %6.2f s  memory %6.1f MB  bar %6.1f MB  exit %d%s" % (
            name, size, cpu, memory, bar, code, "  OVER" if memory > bar else ""), flush=True)
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
