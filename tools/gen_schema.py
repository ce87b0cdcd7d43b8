#!/usr/bin/env python3
"""Writes src/schema/k8s_table.cc from the OpenAPI documents and the discovery of an API server.

usage: gen_schema.py CORPUS_KUBERNETES_DIR OUTPUT

Reads DIR/openapi/*.json, DIR/discovery.json and tools/k8s_storage.txt (how fields are stored).
The output has constants only: equal nodes are merged, nothing runs at program start.
"""

import glob
import json
import os
import sys

SPECIAL = {
    "io.k8s.apimachinery.pkg.api.resource.Quantity": "Quantity",
    "io.k8s.apimachinery.pkg.util.intstr.IntOrString": "IntOrString",
    "io.k8s.apimachinery.pkg.apis.meta.v1.Time": "Time",
    "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime": "MicroTime",
    "io.k8s.apimachinery.pkg.apis.meta.v1.Duration": "Duration",
    "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1": "Raw",
    "io.k8s.apimachinery.pkg.apis.meta.v1.Patch": "Raw",
    "io.k8s.apimachinery.pkg.runtime.RawExtension": "Raw",
}
API_EXTENSIONS = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1."
PROPS = API_EXTENSIONS + "JSONSchemaProps"
SPECIAL[API_EXTENSIONS + "JSON"] = "Raw"
SCHEMA_OR = {API_EXTENSIONS + "JSONSchemaPropsOr" + s for s in ("Array", "Bool", "StringArray")}
SKIPPED_KINDS = {"WatchEvent"}
VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"]
LIST_TYPES = {None: "kNone", "atomic": "kAtomic", "set": "kSet", "map": "kMap"}
REF_PREFIX = "#/components/schemas/"


def load(directory):
    schemas = {}
    gvks = {}
    for path in sorted(glob.glob(os.path.join(directory, "openapi", "*.json"))):
        with open(path, encoding="utf-8") as file:
            found = json.load(file)["components"]["schemas"]
        for name, schema in found.items():
            for gvk in schema.pop("x-kubernetes-group-version-kind", []):
                gvks[(gvk["group"], gvk["version"], gvk["kind"])] = name
            schemas[name] = schema
    with open(os.path.join(directory, "discovery.json"), encoding="utf-8") as file:
        return schemas, gvks, json.load(file)["items"]


def load_storage(path):
    storage = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("#"):
                continue
            name, *parts = line.split()
            sets = {part[0]: set(part[2:].split(",")) for part in parts}
            storage[name] = (sets.get("p", set()), sets.get("a", set()))
    return storage


def quote(text):
    return json.dumps(text)


class Generator:
    """Nodes are interned by their initialiser text, so that equal ones are one constant."""

    def __init__(self, schemas, storage):
        self.schemas = schemas
        self.storage = storage
        self.nodes = []       # initialiser texts
        self.interned = {}
        self.named = {}       # type name -> node number
        self.fields = []
        self.field_runs = {}
        self.type_fields = {}
        self.keys = []
        self.key_runs = {}
        self.types = sorted(n for n in schemas if n not in SPECIAL and n not in SCHEMA_OR)
        self.type_ids = {n: i + 1 for i, n in enumerate(self.types)}

    def intern(self, text):
        if text not in self.interned:
            self.interned[text] = len(self.nodes)
            self.nodes.append(text)
        return self.interned[text]

    def node(self, kind, list_type="kNone", flags=0, type_id=0, fields=(0, 0), element=None,
             keys=(0, 0), merge_key="", type_name="", form=""):
        return "{NodeKind::k%s, ListType::%s, %d, %d, %d, %d, Origin::kBuiltin, %s, %s, %s, %s, %s, %s}" % (
            kind, list_type, flags, type_id, fields[1], keys[1],
            "kFields + %d" % fields[0] if fields[1] else "nullptr",
            "kNodes + %d" % element if element is not None else "nullptr",
            "kKeys + %d" % keys[0] if keys[1] else "nullptr",
            quote(merge_key), quote(type_name), quote(form))

    def key_run(self, keys):
        keys = tuple(keys)
        if not keys:
            return (0, 0)
        if keys not in self.key_runs:
            self.key_runs[keys] = len(self.keys)
            self.keys.extend(keys)
        return (self.key_runs[keys], len(keys))

    def named_node(self, name):
        if name in self.named:
            return self.named[name]
        if name in SPECIAL:
            self.named[name] = self.intern(self.node(SPECIAL[name], type_name=name))
            return self.named[name]
        number = len(self.nodes)
        self.nodes.append(None)  # types may refer to themselves
        self.named[name] = number
        if name in SCHEMA_OR:
            self.nodes[number] = self.node("SchemaOr", element=self.named_node(PROPS), type_name=name)
        else:
            self.nodes[number] = self.object_node(name, 0)
        return number

    def object_node(self, name, flags):
        schema = self.schemas[name]
        if schema.get("x-kubernetes-map-type") == "atomic":
            flags |= 2
        return self.node("Object", flags=flags, type_id=self.type_ids[name],
                         fields=self.field_run(name), type_name=name)

    def field_run(self, name):
        if name in self.type_fields:
            return self.type_fields[name]
        schema = self.schemas[name]
        pointers, always = self.storage.get(name, (set(), set()))
        required = set(schema.get("required", []))
        rows = []
        for field in sorted(schema.get("properties", {}), key=lambda n: (len(n), n)):
            prop = schema["properties"][field]
            default = prop.get("default")
            text = "nullptr"
            if default not in (None, "", 0, False, {}) or (
                    field in pointers and default in ("", 0, False)):
                text = quote(json.dumps(default))
            flags = (field in required) | (field in pointers) << 1 | (field in always) << 2
            node = self.property_node(prop, name.startswith("io.k8s.api.core.v1."))
            rows.append("{%s, kNodes + %d, %s, %d}" % (quote(field), node, text, flags))
        run = tuple(rows)
        if run not in self.field_runs:
            self.field_runs[run] = len(self.fields)
            self.fields.extend(rows)
        self.type_fields[name] = (self.field_runs[run], len(rows))
        return self.type_fields[name]

    def property_node(self, prop, core=False):
        flags = 0
        if prop.get("x-kubernetes-map-type") == "atomic":
            flags |= 2
        if prop.get("nullable"):
            flags |= 1
        strategy = prop.get("x-kubernetes-patch-strategy", "").split(",")
        flags |= ("merge" in strategy) << 4 | ("retainKeys" in strategy) << 5 | ("replace" in strategy) << 6
        ref = prop.get("$ref") or (prop.get("allOf") or [{}])[0].get("$ref")
        if ref:
            name = ref.removeprefix(REF_PREFIX)
            number = self.named_node(name)
            if flags and name not in SPECIAL and name not in SCHEMA_OR:
                return self.intern(self.object_node(name, flags))
            return number
        kind = prop.get("type")
        if kind == "array":
            return self.intern(self.node(
                "List", LIST_TYPES[prop.get("x-kubernetes-list-type")], flags,
                element=self.property_node(prop["items"]),
                keys=self.key_run(prop.get("x-kubernetes-list-map-keys", [])),
                merge_key=prop.get("x-kubernetes-patch-merge-key", "")))
        if kind == "object":
            if core and prop.get("additionalProperties", {}).get("$ref", "").endswith(".Quantity"):
                flags |= 128
            return self.intern(self.node(
                "Map", flags=flags, element=self.property_node(prop.get("additionalProperties", {}))))
        form = prop.get("format", "")
        name = {"string": "String", "integer": "Integer", "number": "Number", "boolean": "Boolean",
                None: "Any"}[kind]
        if form == "byte":
            name = "Bytes"
        return self.intern(self.node(name, flags=flags, form=form))


def version_rank(version):
    """The order in which Kubernetes prefers versions: v2, v1, v1beta2, v1beta1, v1alpha1."""
    head, stage, minor = version[1:], 0, 0
    for i, word in enumerate(("alpha", "beta")):
        if word in head:
            stage = 2 - i
            head, minor = head.split(word)
    return stage * 10000 - int(head) * 100 - int(minor) + 1000


def collect_kinds(gvks, items):
    kinds = {}
    for gvk in gvks:
        if gvk[2] not in SKIPPED_KINDS:
            kinds[gvk] = None
    for item in items:
        group = item["metadata"].get("name", "")
        for version in item["versions"]:
            for resource in version["resources"]:
                kind = resource["responseKind"]
                gvk = (kind["group"], kind["version"], kind["kind"]) if kind["version"] else (
                    group, version["version"], kind["kind"])
                subresources = []
                for sub in resource.get("subresources", []):
                    body = sub["responseKind"]
                    own = (body["group"], body["version"]) if body["version"] else (
                        group, version["version"])
                    subresources.append((sub["subresource"], *own, body["kind"], sub["verbs"]))
                kinds[gvk] = (resource, subresources)
    return kinds


def verb_mask(verbs):
    return sum(1 << i for i, verb in enumerate(VERBS) if verb in verbs)


def main():
    directory, output = sys.argv[1:3]
    schemas, gvks, items = load(directory)
    here = os.path.dirname(os.path.abspath(__file__))
    generator = Generator(schemas, load_storage(os.path.join(here, "k8s_storage.txt")))
    kinds = collect_kinds(gvks, items)
    used = sorted({gvks[k] for k in kinds if k in gvks})
    for name in used:
        generator.named_node(name)

    subresources = []
    rows = []
    order = sorted(kinds, key=lambda k: (k[2], k[0], version_rank(k[1])))
    for group, version, kind in order:
        resource, subs = kinds[(group, version, kind)] or ({}, [])
        start = len(subresources)
        for name, g, v, k, verbs in subs:
            subresources.append("{%s, %s, %s, %s, %d}" % (quote(name), quote(g), quote(v), quote(k),
                                                          verb_mask(verbs)))
        node = generator.named.get(gvks.get((group, version, kind)))
        rows.append("{%s, %s, %s, %s, %s, %s, %s, %s, %d, %d, %s, false, %d}" % (
            quote(group), quote(version), quote(kind), quote(resource.get("resource", "")),
            quote(resource.get("singularResource", "")), quote(",".join(resource.get("shortNames", []))),
            "kNodes + %d" % node if node is not None else "nullptr",
            "kSubresources + %d" % start if subs else "nullptr", len(subs),
            verb_mask(resource.get("verbs", [])),
            "true" if resource.get("scope") == "Namespaced" else "false", version_rank(version)))

    def type_row(name):
        return "kNodes + %d" % generator.named[name] if name in generator.named else "nullptr"

    with open(output, "w", encoding="utf-8") as out:
        out.write("// Generated by tools/gen_schema.py from the OpenAPI documents of Kubernetes 1.37; do not edit.\n"
                  "// NOLINTBEGIN\n// clang-format off\n\n"
                  '#include "schema/schema.h"\n\nnamespace portcullis::schema {\n\nnamespace {\n\n')
        out.write("extern const Schema kNodes[%d];\n" % len(generator.nodes))
        write = lambda head, lines: out.write(
            "\n%s = {\n" % head + "".join("%s,\n" % line for line in lines) + "};\n")
        write("constexpr std::string_view kKeys[]", [quote(k) for k in generator.keys])
        write("constexpr Field kFields[]", generator.fields)
        write("constinit const Schema kNodes[%d]" % len(generator.nodes), generator.nodes)
        write("constexpr Subresource kSubresources[]", subresources)
        write("constexpr Kind kKinds[]", rows)
        write("constexpr const Schema* kTypes[]", ["nullptr"] + [type_row(n) for n in generator.types])
        out.write("\n}  // namespace\n\n"
                  "constinit const std::span<const Schema> kBuiltinSchemas{kNodes};\n"
                  "constinit const std::span<const Kind> kBuiltinKinds{kKinds};\n"
                  "constinit const std::span<const Schema* const> kBuiltinTypes{kTypes};\n"
                  "\n}  // namespace portcullis::schema\n")
    print("%d nodes, %d fields, %d kinds, %d types" % (
        len(generator.nodes), len(generator.fields), len(rows), len(generator.types)))


if __name__ == "__main__":
    main()
