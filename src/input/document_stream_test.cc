#include "input/document_stream.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "input/check.h"

namespace portcullis::input {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

class DocumentStreamTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "pc_input_XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root_ = name;
  }
  void TearDown() override { fs::remove_all(root_); }

  void Write(const std::string& path, std::string_view text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path, std::ios::binary) << text;
  }

  std::string Short(std::string_view path) const {
    std::string text(path);
    const std::string prefix = root_.string() + "/";
    for (std::size_t at = 0; (at = text.find(prefix, at)) != std::string::npos;) {
      text.erase(at, prefix.size());
    }
    return text;
  }

  std::string Describe(const Document& d) const {
    const base::SourceSpan span = d.Locate({});
    return Short(d.file) + ":" + std::to_string(span.line) + ":" + std::to_string(span.column) +
           " " + std::string(d.api_version) + " " + std::string(d.kind) + " " +
           std::string(d.name());
  }

  static std::string Describe(const Diagnostic& d) {
    return (d.severity == Severity::kError ? "error " : "warning ") + d.error.span.ToString() +
           ": " + d.error.message + (d.error.hint.empty() ? "" : " (" + d.error.hint + ")");
  }

  // Documents, then diagnostics, of two passes over the paths.
  Lines Load(std::vector<std::string> paths, std::uint64_t keep_limit = 1 << 20) {
    for (std::string& path : paths) path = (root_ / path).string();
    Diagnostics diagnostics;
    DocumentStream stream(ExpandPaths(paths, &diagnostics), {.keep_limit = keep_limit});
    Lines first = Pass(&stream);
    stream.Rewind();
    EXPECT_EQ(Pass(&stream), first);
    for (const Diagnostic& d : diagnostics) first.push_back(Short(Describe(d)));
    for (const Diagnostic& d : stream.diagnostics()) first.push_back(Short(Describe(d)));
    return first;
  }

  // Kept and streamed reading must agree.
  Lines LoadBoth(const std::vector<std::string>& paths) {
    const Lines kept = Load(paths);
    EXPECT_EQ(Load(paths, 0), kept);
    return kept;
  }

  Lines LoadText(std::string_view text, const std::string& name = "f.yaml") {
    Write(name, text);
    return LoadBoth({name});
  }

  Lines Pass(DocumentStream* stream) {
    Lines lines;
    Document document;
    while (stream->Next(&document)) lines.push_back(Describe(document));
    return lines;
  }

  fs::path root_;
};

constexpr std::string_view kPod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n";

TEST_F(DocumentStreamTest, MultiDocumentYaml) {
  EXPECT_EQ(LoadText("# head\n\n---\n" + std::string(kPod) + "---\n---\n# none\n---\n" +
                     "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: d\n"),
            (Lines{"f.yaml:4:1 v1 Pod a", "f.yaml:11:1 apps/v1 Deployment d"}));
}

struct OddText {
  const char* name;
  std::string text;
  std::vector<std::string> expected;  // as LoadText gives it, with HINT for any hint
};

TEST_F(DocumentStreamTest, OddTexts) {
  using namespace std::string_literals;
  const std::string pod = R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"}})";
  const std::string yaml = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n";
  const std::string read = "f:1:1 v1 Pod p";
  const auto utf16 = [](std::string_view ascii, bool big) {
    std::string out = big ? "\xFE\xFF" : "\xFF\xFE";
    for (const char c : ascii) {
      if (big) out += '\0';
      out += c;
      if (!big) out += '\0';
    }
    return out;
  };
  const auto replace = [](std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
      text.replace(at, from.size(), to);
    }
    return text;
  };
  const OddText cases[] = {
      {"garbage on the line",
       pod + " xx",
       {read, "error f:1:58: content after the end of the JSON value HINT"}},
      {"garbage below",
       pod + "\n\n  xx\n---\n" + pod,
       {read, "f:5:1 v1 Pod p", "error f:3:3: content after the end of the JSON value HINT"}},
      {"bracket too many",
       pod + "}",
       {read, "error f:1:57: content after the end of the JSON value HINT"}},
      {"YAML below",
       pod + "\n" + yaml,
       {read, "error f:2:1: content after the end of the JSON value HINT"}},
      {"two on a line", pod + " " + pod, {read, "f:1:58 v1 Pod p"}},
      {"error in the second",
       pod + " {\"kind\": x}",
       {read, "error f:1:58: Object 'apiVersion' is missing"}},
      {"comment behind", pod + " # why\n# more\n---\n" + yaml, {read, "f:4:1 v1 Pod a"}},
      {"comment inside",
       "{\"a\": 1, // x\n \"b\": 2}",
       {"error f:1:10: invalid character '/' looking for beginning of object key string"}},
      {"duplicate keys",
       "{\"kind\": \"A\",\n \"kind\": \"B\"}",
       {"error f:2:2: duplicate field \"kind\" (already set at line 1, column 2)"}},
      {"byte order mark", "\xEF\xBB\xBF" + pod, {read}},
      {"UTF-16 LE", utf16(yaml, false), {"f:1:1 v1 Pod a"}},
      {"UTF-16 BE", utf16(pod, true), {read}},
      {"CR LF",
       replace("\n\n" + yaml + "---\n" + yaml, "\n", "\r\n"),
       {"f:3:1 v1 Pod a", "f:7:1 v1 Pod a"}},
      {"CR alone", replace("\n\n" + yaml, "\n", "\r"), {"f:3:1 v1 Pod a"}},
      {"error in CR LF",
       "a: 1\r\nb: [\r\n}\r\n",
       {"error f:3:1: yaml: line 2: did not find expected node content"}},
      {"NUL", "a: 1\nb: \0\n"s, {"error f:2:4: yaml: control characters are not allowed"}},
      {"NUL in JSON",
       "{\"a\": \"\0\"}"s,
       {"error f:1:8: invalid character '\\x00' in string literal"}},
      {"invalid UTF-8", "a: 1\nb: \xFF\n", {"error f:2:4: yaml: invalid leading UTF-8 octet"}},
      {"tab",
       "a:\n\tb: 1\n",
       {"error f:2:1: yaml: line 2: found character that cannot start any token"}},
      {"open quote",
       "a: 1\nb: \"x\n",
       {"error f:3:1: yaml: line 3: found unexpected end of stream HINT"}},
      {"unknown alias", "a: *b\n", {"error f:1:4: yaml: unknown anchor 'b' referenced"}},
      {"infinity", "a: .inf\n", {"error f:1:4: json: unsupported value: +Inf"}},
      {"bad binary",
       "a: !!binary '?'\n",
       {"error f:1:4: yaml: !!binary value contains invalid base64 data"}},
      {"key that is a list",
       "[1]: 2\n",
       {"error f:1:2: list item is a number, not an object",
        "error f:1:4: content after the end of the JSON value HINT"}},
      {"YAML 1.2",
       "%YAML 1.2\n---\na: 1\n",
       {"error f:2:1: yaml: line 1: did not find expected <document start>",
        "error f:3:1: Object 'Kind' is missing"}},
      {"separator alone",
       "---\n",
       {"error f:1:1: the file holds no object, only document separators"}},
      {"many bad items", "[" + replace(std::string(25, 'x'), "x", "1,") + "1]",
       []() {
         Lines lines;
         for (int i = 0; i < 20; ++i) {
           lines.push_back("error f:1:" + std::to_string(2 + 2 * i) +
                           ": list item is a number, not an object");
         }
         lines.emplace_back("error f:1:1: 6 more items of the list cannot be used");
         return lines;
       }()},
  };
  for (const OddText& item : cases) {
    Lines got = LoadText(item.text, "f");
    for (std::string& line : got) {
      const std::size_t hint = line.find(" (");
      if (hint != std::string::npos && line.find("already set") == std::string::npos) {
        line.replace(hint, std::string::npos, " HINT");
      }
    }
    EXPECT_EQ(got, item.expected) << item.name;
  }
}

TEST_F(DocumentStreamTest, JsonForms) {
  const std::string pod = R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"}})";
  EXPECT_EQ(LoadText(pod, "a.json"), Lines{"a.json:1:1 v1 Pod p"});
  EXPECT_EQ(LoadText(pod + "\n" + pod + "\n\n " + pod, "b.json"),
            (Lines{"b.json:1:1 v1 Pod p", "b.json:2:1 v1 Pod p", "b.json:4:2 v1 Pod p"}));
  EXPECT_EQ(LoadText("[" + pod + ",\n " + pod + "]", "c.json"),
            (Lines{"c.json:1:2 v1 Pod p", "c.json:2:2 v1 Pod p"}));
  EXPECT_EQ(LoadText(pod + "\n---\n" + std::string(kPod) + "---\n" + pod),
            (Lines{"f.yaml:1:1 v1 Pod p", "f.yaml:3:1 v1 Pod a", "f.yaml:7:1 v1 Pod p"}));
  EXPECT_EQ(LoadText("{apiVersion: v1, kind: Pod}"), Lines{"f.yaml:1:1 v1 Pod "});
  EXPECT_EQ(LoadText(pod + "\n{\"kind\": bad}\n" + pod, "d.json"),
            (Lines{"d.json:1:1 v1 Pod p", "d.json:3:1 v1 Pod p",
                   "error d.json:2:10: invalid character 'b' looking for beginning of value"}));
}

TEST_F(DocumentStreamTest, Lists) {
  EXPECT_EQ(
      LoadText("apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n"
               "- apiVersion: v1\n  kind: List\n  items:\n  - {apiVersion: v1, kind: Secret}\n"),
      (Lines{"f.yaml:4:3 v1 Pod ", "f.yaml:9:5 v1 Secret "}));
  EXPECT_EQ(LoadText("apiVersion: apps/v1\nkind: DeploymentList\nitems:\n- metadata: {name: d}\n"),
            Lines{"f.yaml:4:3 apps/v1 Deployment d"});
  EXPECT_EQ(LoadText("apiVersion: v1\nkind: List\nitems: []\n"),
            Lines{"warning f.yaml:1:1: the list has no items"});
  EXPECT_EQ(LoadText("apiVersion: v1\nkind: List\nitems: [1]\n"),
            Lines{"error f.yaml:3:9: list item is a number, not an object"});
}

TEST_F(DocumentStreamTest, NothingToLoadIsAnError) {
  EXPECT_EQ(LoadText(""), Lines{"error f.yaml:1:1: the file is empty"});
  EXPECT_EQ(LoadText("# x\n\n# y\n"),
            Lines{"error f.yaml:1:1: the file holds only comments and blank lines"});
  EXPECT_EQ(LoadText("---\n---\n"),
            Lines{"error f.yaml:1:1: the file holds no object, only document separators"});
  EXPECT_EQ(LoadText("hello\n"), Lines{"error f.yaml:1:1: document is a string, not an object"});
  EXPECT_EQ(Load({"nope.yaml"}), Lines{"error nope.yaml: open nope.yaml: no such file or "
                                       "directory"});
  Write("pods.yaml", kPod);
  EXPECT_EQ(Load({"pod.yaml"}), Lines{"error pod.yaml: open pod.yaml: no such file or directory "
                                      "(did you mean pods.yaml?)"});
  fs::create_directories(root_ / "empty");
  EXPECT_EQ(Load({"empty"}), Lines{"error empty: the folder holds no .yaml, .yml or .json file"});
  EXPECT_EQ(Load({"*.txt"}), Lines{"error *.txt: no file matches *.txt"});
}

TEST_F(DocumentStreamTest, BadDocumentsDoNotHideGoodOnes) {
  EXPECT_EQ(LoadText(std::string(kPod) + "---\na: b: c\n---\nkind: Pod\nkind: Pod\n---\n" +
                     "apiversion: v1\nkind: Pod\n---\nkind: 5\napiVersion: v1\n---\n" +
                     std::string(kPod)),
            (Lines{"f.yaml:1:1 v1 Pod a", "f.yaml:16:1 v1 Pod a",
                   "error f.yaml:5:5: yaml: mapping values are not allowed in this context",
                   "error f.yaml:8:1: yaml: unmarshal errors:\n  line 2: key \"kind\" already set "
                   "in map (already set at line 7, column 1)",
                   "error f.yaml:10:1: Object 'apiVersion' is missing (did you mean `apiVersion` "
                   "instead of `apiversion`?)",
                   "error f.yaml:13:1: field 'kind' must be a non-empty string"}));
  EXPECT_EQ(LoadText(std::string(kPod) + "--- x\n" + std::string(kPod)),
            (Lines{"f.yaml:1:1 v1 Pod a",
                   "error f.yaml:4:4: invalid Yaml document separator: x (a separator is a line of "
                   "three dashes; the rest of the file was not read)"}));
}

TEST_F(DocumentStreamTest, FoldersAndGlobs) {
  Write("d/b.yaml", kPod);
  Write("d/a.yml", kPod);
  Write("d/deep/er/c.json", R"({"apiVersion":"v1","kind":"Pod"})");
  Write("d/.hidden/x.yaml", kPod);
  Write("d/.x.yaml", kPod);
  Write("d/readme.txt", "text");
  Write("d/values.yaml", "replicas: 3\n");
  const Lines all{"d/a.yml:1:1 v1 Pod a", "d/b.yaml:1:1 v1 Pod a", "d/deep/er/c.json:1:1 v1 Pod ",
                  "warning d/values.yaml:1:1: Object 'Kind' is missing"};
  EXPECT_EQ(LoadBoth({"d"}), all);
  EXPECT_EQ(LoadBoth({"d/..."}), all);
  EXPECT_EQ(LoadBoth({"d", "d/b.yaml"}), all);
  EXPECT_EQ(LoadBoth({"d/[ab].y*ml"}), (Lines{"d/a.yml:1:1 v1 Pod a", "d/b.yaml:1:1 v1 Pod a"}));
  EXPECT_EQ(LoadBoth({"**/c.json"}), Lines{"d/deep/er/c.json:1:1 v1 Pod "});
  EXPECT_EQ(LoadBoth({"d/values.yaml"}),
            Lines{"error d/values.yaml:1:1: Object 'Kind' is missing"});
}

TEST_F(DocumentStreamTest, OddFiles) {
  const std::string pod(kPod);
  Write("d/a.yaml", pod);
  Write("d/sub/b.yaml", pod);
  for (const char* link : {"d/up", "d/sub/up1", "d/sub/up2"}) {
    fs::create_directory_symlink(root_ / "d", root_ / link);
  }
  EXPECT_EQ(LoadBoth({"d"}), (Lines{"d/a.yaml:1:1 v1 Pod a", "d/sub/b.yaml:1:1 v1 Pod a"}));
  EXPECT_EQ(LoadBoth({"d/**"}), (Lines{"d/a.yaml:1:1 v1 Pod a", "d/sub/b.yaml:1:1 v1 Pod a"}));
  Write("e/a.yaml", pod);
  ASSERT_EQ(::mkfifo((root_ / "e/pipe.yaml").c_str(), 0600), 0);
  fs::create_symlink("nowhere", root_ / "e/dangling.yaml");
  fs::create_symlink("loop.yaml", root_ / "e/loop.yaml");
  EXPECT_EQ(
      LoadBoth({"e"}),
      (Lines{"e/a.yaml:1:1 v1 Pod a",
             "error e/dangling.yaml: open e/dangling.yaml: No such file or directory",
             "error e/loop.yaml: open e/loop.yaml: Too many levels of symbolic links",
             "error e/pipe.yaml: neither a file nor a folder: it was not read (name it itself "
             "if it is meant)"}));
  fs::create_symlink("/dev/zero", root_ / "zero");
  EXPECT_EQ(LoadBoth({"zero", "d/a.yaml"}),
            (Lines{"d/a.yaml:1:1 v1 Pod a",
                   "error zero:1:1: yaml: control characters are not allowed (this looks like "
                   "UTF-16 without a byte order mark; save the file as UTF-8)"}));
}

TEST_F(DocumentStreamTest, LargeStreamInLittleMemory) {
  std::string text;
  for (int i = 0; i < 30000; ++i) {
    text += "apiVersion: v1\nkind: " + std::string(i % 1000 == 0 ? "Namespace" : "ConfigMap") +
            "\nmetadata:\n  name: n" + std::to_string(i) + "\n---\n";
  }
  Write("big.yaml", text);
  Diagnostics diagnostics;
  const std::string path[] = {(root_ / "big.yaml").string()};
  DocumentStream stream(ExpandPaths(path, &diagnostics), {.keep_limit = 1000});
  EXPECT_FALSE(stream.is_kept());
  Document document;
  int count = 0;
  const auto only_namespaces = [](std::string_view, std::string_view kind) {
    return kind == "Namespace";
  };
  while (stream.Next(&document, only_namespaces)) {
    EXPECT_EQ(document.role, DocumentRole::kNamespace);
    ++count;
  }
  EXPECT_EQ(count, 30);
  stream.Rewind();
  for (count = 0; stream.Next(&document); ++count) {
    ASSERT_EQ(document.name(), "n" + std::to_string(count));
    ASSERT_EQ(document.first_line, static_cast<std::uint32_t>(count) * 5 + 1);
  }
  EXPECT_EQ(count, 30000);
  EXPECT_TRUE(stream.diagnostics().empty());
}

TEST_F(DocumentStreamTest, OtherEncodings) {
  EXPECT_EQ(LoadText("\xEF\xBB\xBF" + std::string(kPod)), Lines{"f.yaml:1:1 v1 Pod a"});
  EXPECT_EQ(LoadText("apiVersion: v1\r\nkind: Pod\r\n---\r\napiVersion: v1\r\nkind: Node\r\n"),
            (Lines{"f.yaml:1:1 v1 Pod ", "f.yaml:4:1 v1 Node "}));
  std::string utf16 = "\xFF\xFE";
  for (const char c : kPod) utf16 += {c, '\0'};
  EXPECT_EQ(LoadText(utf16), Lines{"f.yaml:1:1 v1 Pod a"});
  EXPECT_EQ(LoadText(std::string("a: \0\n", 5)),
            Lines{"error f.yaml:1:4: yaml: control characters are not allowed"});
}

TEST_F(DocumentStreamTest, CheckType) {
  const auto check = [&](std::string_view text) -> std::string {
    Write("t.yaml", text);
    Diagnostics diagnostics;
    const std::string path[] = {(root_ / "t.yaml").string()};
    DocumentStream stream(ExpandPaths(path, &diagnostics));
    Document document;
    if (!stream.Next(&document)) return "no document";
    const auto found = CheckType(document, schema::TypeTable::Builtin());
    return found ? Short(Describe(*found)) : "";
  };
  EXPECT_EQ(check("apiVersion: v1\nkind: Pod\n"), "");
  EXPECT_EQ(check("apiVersion: v1\nkind: pod\n"),
            "error t.yaml:2:1: no matches for kind \"pod\" in version \"v1\" (did you mean Pod?)");
  EXPECT_EQ(check("apiVersion: v1\nkind: Deployment\n"),
            "error t.yaml:1:1: no matches for kind \"Deployment\" in version \"v1\" (did you mean "
            "apiVersion apps/v1?)");
  EXPECT_EQ(check("apiVersion: apps/v2\nkind: Deployment\n"),
            "error t.yaml:1:1: no matches for kind \"Deployment\" in version \"apps/v2\" (did you "
            "mean apiVersion apps/v1?)");
  EXPECT_EQ(check("apiVersion: serving.knative.dev/v1\nkind: Service\n"), "");
  EXPECT_EQ(check("apiVersion: kyverno.io/v1\nkind: ClusterPolicy\n"), "");
  EXPECT_EQ(check("apiVersion: example.com/v1\nkind: widget\n"),
            "warning t.yaml:2:1: no matches for kind \"widget\" in version \"example.com/v1\" "
            "(kinds begin with a capital letter)");
}

TEST(MatchSegment, Patterns) {
  EXPECT_TRUE(MatchSegment("*.yaml", "a.yaml"));
  EXPECT_FALSE(MatchSegment("*.yaml", "a.yml"));
  EXPECT_TRUE(MatchSegment("a?c", "abc"));
  EXPECT_TRUE(MatchSegment("[!x-z]*b", "aab"));
  EXPECT_FALSE(MatchSegment("[!x-z]*", "yab"));
  EXPECT_TRUE(MatchSegment("[", "["));
  EXPECT_TRUE(MatchSegment("**", ""));
}

}  // namespace
}  // namespace portcullis::input
