#include "policy/kyverno_cel/generating_template.h"

#include <utility>

#include "base/gotext.h"
#include "cel/eval/native.h"
#include "cel/lib/value_text.h"
#include "policy/kyverno_cel/generating_placeholder.h"
#include "policy/kyverno_cel/generating_template_check.h"
#include "yaml/locate.h"
#include "yaml/reader.h"
#include "yaml/split.h"

namespace portcullis::policy::kyverno_cel {
namespace {

using doc::Value;

constexpr int kMaxDepth = 1000;

std::string AtLine(std::size_t line, std::string_view text) {
  return "line " + std::to_string(line) + ": " + std::string(text);
}

// The text of a scalar within other text; false for what is no scalar.
bool ScalarText(const Value& value, std::string& out) {
  switch (value.tag()) {
    case doc::Tag::kString:
      out += value.as_string();
      return true;
    case doc::Tag::kBool:
    case doc::Tag::kInt:
    case doc::Tag::kUint:
    case doc::Tag::kDouble:
      out += cel::ValueText(value);
      return true;
    default:
      return false;
  }
}

}  // namespace

class TemplateCompiler {
 public:
  TemplateCompiler(bool interpolate, const Scope& scope, base::Arena& arena)
      : interpolate_(interpolate), scope_(scope), arena_(arena) {}

  bool AddDocument(const yaml::Chunk& chunk, Template& out) {
    yaml::ReadOptions options;
    options.strict = true;
    options.first_line = chunk.first_line;
    auto parsed = yaml::Parse(arena_.CopyString(chunk.text), arena_, options);
    if (!parsed.ok()) return Fail(parsed.error().message);
    const Value& root = parsed.value();
    if (root.is_null()) return true;
    chunk_ = chunk;
    if (interpolate_) {
      error = CheckTemplateKeys(chunk.text, chunk.first_line);
      if (!error.empty()) return false;
    }
    if (!root.is_map()) {
      return Fail(AtLine(LineOf({}), "document must be a mapping describing a resource"));
    }
    Template::Node node;
    if (!Build(root, 0, node)) return false;
    out.documents_.push_back(std::move(node));
    return true;
  }

  std::string error;

 private:
  bool Fail(std::string text) {
    error = std::move(text);
    return false;
  }

  std::size_t LineOf(const doc::Path& path) const {
    const doc::PathLocation found = yaml::Locate(chunk_.text, path, chunk_.first_line);
    return found.value.line != 0 ? found.value.line : chunk_.first_line;
  }

  // Subtrees without placeholders stay constants.
  bool Build(const Value& value, int depth, Template::Node& out) {
    if (depth > kMaxDepth) return Fail("the template is nested too deeply");
    out.constant = value;
    if (!interpolate_) return true;
    if (value.is_string()) return BuildScalar(value, out);
    bool constant = true;
    if (value.is_list()) {
      out.kind = Template::Node::Kind::kList;
      for (std::size_t i = 0; i < value.size(); ++i) {
        path_.emplace_back(static_cast<std::int64_t>(i));
        if (!Build(value.as_list()[i], depth + 1, out.children.emplace_back())) return false;
        path_.pop_back();
        constant = constant && out.children.back().kind == Template::Node::Kind::kConstant;
      }
    } else if (value.is_map()) {
      out.kind = Template::Node::Kind::kMap;
      for (const doc::MapEntry& entry : value.as_map()) {
        out.keys.push_back(entry.key);
        path_.emplace_back(std::string(entry.key.as_string()));
        if (!Build(entry.value, depth + 1, out.children.emplace_back())) return false;
        path_.pop_back();
        constant = constant && out.children.back().kind == Template::Node::Kind::kConstant;
      }
    }
    if (constant) {
      out.kind = Template::Node::Kind::kConstant;
      out.keys.clear();
      // What `\((` stands for is part of the constant.
      if (!out.children.empty()) out.constant = Unescaped(value, out);
      out.children.clear();
    }
    return true;
  }

  Value Unescaped(const Value& value, const Template::Node& node) {
    if (value.is_list()) {
      std::vector<Value> items;
      for (const Template::Node& child : node.children) items.push_back(child.constant);
      return doc::MakeList(arena_, items);
    }
    std::vector<doc::MapEntry> entries;
    for (std::size_t i = 0; i < value.size(); ++i) {
      entries.push_back({value.as_map()[i].key, node.children[i].constant});
    }
    return doc::MakeMap(arena_, entries);
  }

  bool BuildScalar(const Value& value, Template::Node& out) {
    const std::string_view text = value.as_string();
    if (!MayHavePlaceholders(text)) return true;
    std::vector<Segment> segments;
    std::string problem;
    if (!SplitPlaceholders(text, segments, problem)) {
      return Fail(AtLine(LineOf(path_), problem));
    }
    if (segments.size() == 1 && !segments[0].is_expression) {
      out.constant = doc::MakeString(arena_, segments[0].text);
      return true;
    }
    out.kind = Template::Node::Kind::kScalar;
    for (Segment& segment : segments) {
      Template::Part& part = out.parts.emplace_back();
      if (!segment.is_expression) {
        part.text = std::move(segment.text);
        continue;
      }
      FieldErrors errors;
      part.expression = scope_.Compile(segment.text, exceptions::ResultType::kAny, {}, errors);
      if (!part.expression) {
        return Fail(AtLine(LineOf(path_), "invalid placeholder expression " +
                                              base::GoQuote(segment.text) + ": " +
                                              part.expression.error));
      }
    }
    return true;
  }

  bool interpolate_;
  const Scope& scope_;
  base::Arena& arena_;
  yaml::Chunk chunk_;
  doc::Path path_;
};

class TemplateRenderer {
 public:
  TemplateRenderer(cel::Activation& activation, base::Arena& arena, const cel::EvalOptions& options)
      : activation_(activation), arena_(arena), options_(options) {}

  bool Render(const Template::Node& node, Value& out) {
    using Kind = Template::Node::Kind;
    switch (node.kind) {
      case Kind::kConstant:
        out = node.constant;
        return true;
      case Kind::kScalar:
        return node.parts.size() == 1 ? Whole(node.parts[0], out) : Embedded(node.parts, out);
      case Kind::kList: {
        std::vector<Value> items(node.children.size());
        for (std::size_t i = 0; i < items.size(); ++i) {
          if (!Render(node.children[i], items[i])) {
            return InField(std::to_string(i), "index ", false);
          }
        }
        out = doc::MakeList(arena_, items);
        return true;
      }
      case Kind::kMap: {
        std::vector<doc::MapEntry> entries(node.children.size());
        for (std::size_t i = 0; i < entries.size(); ++i) {
          entries[i].key = node.keys[i];
          if (!Render(node.children[i], entries[i].value)) {
            return InField(node.keys[i].as_string(), "field ", true);
          }
        }
        out = doc::MakeMap(arena_, entries);
        return true;
      }
    }
    return false;
  }

  std::string error;

 private:
  bool InField(std::string_view name, std::string_view word, bool quoted) {
    error = std::string(word) + (quoted ? base::GoQuote(name) : std::string(name)) + ": " + error;
    return false;
  }

  bool Evaluate(const Template::Part& part, Value& out) {
    out = cel::Evaluate(*part.expression.program, activation_, arena_, options_).value;
    if (!out.is_error()) return true;
    error = "failed to evaluate placeholder " + base::GoQuote(part.expression.source) + ": " +
            std::string(cel::ErrorMessage(out));
    return false;
  }

  // Any value takes the place of the scalar.
  bool Whole(const Template::Part& part, Value& out) {
    Value value;
    if (!Evaluate(part, value)) return false;
    std::string problem;
    if (cel::ToNative(arena_, value, out, problem)) return true;
    error =
        "failed to evaluate placeholder " + base::GoQuote(part.expression.source) + ": " + problem;
    return false;
  }

  bool Embedded(const std::vector<Template::Part>& parts, Value& out) {
    std::string text;
    for (const Template::Part& part : parts) {
      if (!part.expression) {
        text += part.text;
        continue;
      }
      Value value;
      if (!Evaluate(part, value)) return false;
      if (ScalarText(value, text)) continue;
      error = "placeholder " + base::GoQuote(part.expression.source) +
              " embedded in a string must evaluate to a scalar, got " +
              std::string(cel::RuntimeTypeName(value)) +
              "; use a whole-value placeholder for structured results";
      return false;
    }
    out = doc::MakeString(arena_, text);
    return true;
  }

  cel::Activation& activation_;
  base::Arena& arena_;
  const cel::EvalOptions& options_;
};

std::shared_ptr<const Template> Template::Compile(std::string_view text, bool interpolate,
                                                  const Scope& scope, base::Arena& arena,
                                                  std::string& error) {
  auto out = std::make_shared<Template>();
  TemplateCompiler compiler(interpolate, scope, arena);
  yaml::Splitter splitter(text);
  yaml::Chunk chunk;
  while (true) {
    const base::Result<bool> next = splitter.Next(&chunk);
    if (!next.ok()) {
      error = next.error().message;
      return nullptr;
    }
    if (!next.value()) break;
    if (chunk.has_content && !compiler.AddDocument(chunk, *out)) {
      error = std::move(compiler.error);
      return nullptr;
    }
  }
  if (!out->documents_.empty()) return out;
  error = "template must contain at least one YAML document";
  return nullptr;
}

std::vector<const Expression*> Template::expressions() const {
  std::vector<const Expression*> out;
  std::vector<const Node*> pending;
  for (auto document = documents_.rbegin(); document != documents_.rend(); ++document) {
    pending.push_back(&*document);
  }
  while (!pending.empty()) {
    const Node& node = *pending.back();
    pending.pop_back();
    for (const Part& part : node.parts) {
      if (part.expression) out.push_back(&part.expression);
    }
    for (auto child = node.children.rbegin(); child != node.children.rend(); ++child) {
      pending.push_back(&*child);
    }
  }
  return out;
}

bool Template::Render(cel::Activation& activation, base::Arena& arena,
                      const cel::EvalOptions& options, std::vector<doc::Value>& out,
                      std::string& error) const {
  TemplateRenderer renderer(activation, arena, options);
  for (std::size_t i = 0; i < documents_.size(); ++i) {
    Value object;
    if (!renderer.Render(documents_[i], object)) {
      error = "failed to render generation template: document " + std::to_string(i) + ": " +
              renderer.error;
      return false;
    }
    out.push_back(object);
  }
  return true;
}

}  // namespace portcullis::policy::kyverno_cel
