// Comprehensions (spec/cel.md 6, 9.4). The general loop follows cel-go; the loops for the shapes of
// the macros give the same values, errors and cost without building the accumulator step by step.

#include <string>

#include "base/hash.h"
#include "cel/eval/evaluator.h"
#include "cel/eval/value_ops.h"
#include "cel/eval/value_weight.h"
#include "cel/lib/value_text.h"

namespace portcullis::cel {

using doc::Value;

// The elements of a range, in order: list items, or a map's entries.
class Evaluator::Range {
 public:
  Range(Evaluator& evaluator, const Fold& fold, const Value& range)
      : evaluator_(evaluator), fold_(fold), range_(range) {}

  std::size_t size() const { return range_.size(); }

  // Binds the iteration variables to element `i`.
  void Bind(std::size_t i) {
    Slot& first = evaluator_.locals_[fold_.iter];
    first.ready = true;
    if (range_.is_list()) {
      const Value& item = range_.as_list()[i];
      if (!fold_.two_variables) {
        first.value = item;
        return;
      }
      first.value = Value::Int(static_cast<std::int64_t>(i));
      evaluator_.locals_[fold_.iter2] = Slot{item, 0, true};
      return;
    }
    const doc::MapEntry& entry = range_.as_map()[i];
    first.value = entry.key;
    if (fold_.two_variables) evaluator_.locals_[fold_.iter2] = Slot{entry.value, 0, true};
  }

 private:
  Evaluator& evaluator_;
  const Fold& fold_;
  Value range_;
};

bool Evaluator::LoopStep() {
  constexpr std::uint32_t kPollInterval = 100;
  if (stopped()) return true;
  if (++loop_steps_ % kPollInterval != 0) return false;
  const bool interrupted =
      options_.interrupt != nullptr && options_.interrupt->load(std::memory_order_relaxed);
  const bool exhausted = context_.arena.exhausted() || context_.arena.bytes_used() > kMaxArenaBytes;
  if (!interrupted && !exhausted) return false;
  auto* rep = context_.arena.New<doc::ErrorRep>();
  rep->message = interrupted ? "operation interrupted"
                             : "operation cancelled: memory limit of the evaluation exceeded";
  rep->kind = interrupted ? kErrorInterrupted : kErrorCostLimit;
  stop_ = Value::Error(rep);
  stop_cost_ = cost_;
  return true;
}

bool Evaluator::Predicate(NodeId predicate, bool& truth, Value& error) {
  const Value value = Eval(predicate);
  if (value.is_bool()) {
    truth = value.as_bool();
    return true;
  }
  error = value.is_error() ? value : context_.NoSuchOverload();
  return false;
}

Value Evaluator::EvalFold(const Node& node) {
  const Fold& fold = plan_.folds[node.a];
  const Value over = Eval(fold.range);
  if (over.is_error()) return over;
  if (!over.is_list() && !over.is_map()) {
    const std::string type(GoTypeName(over));
    return context_.Error(fold.two_variables ? "unsupported comprehension range type: " + type
                                             : "got '" + type + "', expected iterable type");
  }
  Range range(*this, fold, over);
  switch (fold.kind) {
    case Fold::Kind::kAll:
    case Fold::Kind::kExists:
      return FoldQuantifier(fold, range);
    case Fold::Kind::kExistsOne:
      return FoldExistsOne(fold, range);
    case Fold::Kind::kAppend:
      return FoldAppend(fold, range);
    case Fold::Kind::kInsertKeyValue:
    case Fold::Kind::kInsertEntry:
      return FoldInsert(fold, range);
    case Fold::Kind::kGeneric:
      break;
  }
  return FoldGeneric(fold, range);
}

Value Evaluator::FoldGeneric(const Fold& fold, Range& range) {
  // The accumulator is initialised at its first read: cel.bind evaluates its value lazily.
  locals_[fold.accu] = Slot{Value(), fold.init, false};
  for (std::size_t i = 0; i < range.size(); ++i) {
    range.Bind(i);
    const Value condition = Eval(fold.condition);
    if (condition.is_bool() && !condition.as_bool()) break;
    const Value next = Eval(fold.step);
    locals_[fold.accu] = Slot{next, 0, true};
    if (LoopStep()) return stop_;
  }
  return Eval(fold.result);
}

Value Evaluator::FoldQuantifier(const Fold& fold, Range& range) {
  // all: condition 2, step 1 + predicate; exists: condition 3, step 1 + predicate; result 1.
  const bool deciding = fold.kind == Fold::Kind::kExists;
  const std::uint64_t condition_cost = deciding ? 3 : 2;
  Value failure;
  bool decided = false;
  for (std::size_t i = 0; i < range.size(); ++i) {
    ChargeUnits(condition_cost);
    if (decided) break;
    range.Bind(i);
    Charge(1);
    bool truth = false;
    Value error;
    if (Predicate(fold.predicate, truth, error)) {
      decided = truth == deciding;
    } else if (!failure.is_error()) {
      failure = error;
    }
    if (LoopStep()) return stop_;
  }
  Charge(1);
  if (decided) return Value::Bool(deciding);
  return failure.is_error() ? failure : Value::Bool(!deciding);
}

Value Evaluator::FoldExistsOne(const Fold& fold, Range& range) {
  std::int64_t count = 0;
  Value failure;
  for (std::size_t i = 0; i < range.size(); ++i) {
    range.Bind(i);
    bool truth = false;
    Value error;
    if (!Predicate(fold.predicate, truth, error)) {
      failure = error;
    } else if (truth) {
      ChargeUnits(failure.is_error() && stop_at_failed_argument_ ? 1 : 2);
      ++count;
    }
    if (LoopStep()) return stop_;
  }
  ChargeUnits(failure.is_error() && stop_at_failed_argument_ ? 1 : 2);
  return failure.is_error() ? failure : Value::Bool(count == 1);
}

Value Evaluator::FoldAppend(const Fold& fold, Range& range) {
  auto* items = context_.arena.AllocateArray<Value>(range.size());
  std::size_t size = 0;
  Value failure;
  const std::uint64_t list_cost = fold.constant_item ? 0 : 10;
  for (std::size_t i = 0; i < range.size(); ++i) {
    range.Bind(i);
    bool wanted = true;
    if (fold.predicate != 0) {
      Value error;
      if (!Predicate(fold.predicate, wanted, error)) {
        failure = error;
        wanted = false;
      }
    }
    if (wanted) {
      Charge(1);
      if (!failure.is_error() || !stop_at_failed_argument_) {
        const Value item = Eval(fold.item);
        Charge(list_cost);
        if (item.is_error()) {
          if (!failure.is_error()) failure = item;
          Charge(1);
        } else {
          items[size++] = item;
          Charge(1);
        }
      }
    }
    if (LoopStep()) return stop_;
  }
  if (fold.init_costs) Charge(10);
  Charge(1);
  return failure.is_error() ? failure : Value::List({items, size});
}

namespace {

// Entries of a growing map with its keys' hashes and, once large, an index over them.
class EntryTable {
 public:
  explicit EntryTable(base::Arena& arena) : arena_(arena) {}

  // False when the key is already there.
  bool Insert(const Value& key, const Value& value) {
    const std::uint32_t hash = doc::HashKey(key);
    if (size_ == capacity_) Grow();
    std::uint32_t slot = hash & mask_;
    while (index_[slot] != 0) {
      const std::uint32_t at = index_[slot] - 1;
      if (hashes_[at] == hash && Same(entries_[at].key, key)) return false;
      slot = (slot + 1) & mask_;
    }
    index_[slot] = static_cast<std::uint32_t>(size_ + 1);
    entries_[size_] = {key, value};
    hashes_[size_++] = hash;
    return true;
  }

  Value Build() const { return doc::MakeMapHashed(arena_, {entries_, size_}, {hashes_, size_}); }

 private:
  static bool Same(const Value& a, const Value& b) {
    if (a.tag() != b.tag()) return false;
    return a.is_string() ? a.as_string() == b.as_string() : a.as_uint() == b.as_uint();
  }

  void Grow() {
    const std::size_t capacity = capacity_ == 0 ? 8 : capacity_ * 2;
    auto* entries = arena_.AllocateArray<doc::MapEntry>(capacity);
    auto* hashes = arena_.AllocateArray<std::uint32_t>(capacity);
    auto* index = arena_.AllocateArray<std::uint32_t>(capacity * 2);
    const auto mask = static_cast<std::uint32_t>(capacity * 2 - 1);
    for (std::size_t i = 0; i <= mask; ++i) index[i] = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      entries[i] = entries_[i];
      hashes[i] = hashes_[i];
      std::uint32_t slot = hashes[i] & mask;
      while (index[slot] != 0) slot = (slot + 1) & mask;
      index[slot] = static_cast<std::uint32_t>(i + 1);
    }
    entries_ = entries;
    hashes_ = hashes;
    index_ = index;
    mask_ = mask;
    capacity_ = capacity;
  }

  base::Arena& arena_;
  doc::MapEntry* entries_ = nullptr;
  std::uint32_t* hashes_ = nullptr;
  std::uint32_t* index_ = nullptr;
  std::uint32_t mask_ = 0;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace

Value Evaluator::FoldInsert(const Fold& fold, Range& range) {
  EntryTable table(context_.arena);
  Value failure;
  const auto insert = [&](const Value& key, const Value& value) {
    if (table.Insert(key, value)) return;
    if (!failure.is_error()) {
      failure = context_.Error("insert failed: key " + ValueText(key) + " already exists");
    }
  };
  for (std::size_t i = 0; i < range.size(); ++i) {
    range.Bind(i);
    bool wanted = true;
    if (fold.predicate != 0) {
      Value error;
      if (!Predicate(fold.predicate, wanted, error)) {
        failure = error;
        wanted = false;
      }
    }
    if (wanted) {
      Charge(1);
      // A failed accumulator is the first argument of the call: with three arguments nothing
      // more is evaluated, with two the entry still is.
      const bool evaluates = !failure.is_error() ||
                             (fold.kind == Fold::Kind::kInsertEntry && !stop_at_failed_argument_);
      if (evaluates) {
        const Value first = Eval(fold.item);
        if (fold.kind == Fold::Kind::kInsertKeyValue) {
          const Value value = first.is_error() ? first : Eval(fold.value);
          if (value.is_error()) {
            failure = value;
            if (!first.is_error()) Charge(1);
          } else {
            insert(first, value);
            Charge(1);
          }
        } else if (first.is_error()) {
          if (!failure.is_error()) failure = first;
          Charge(1);
        } else {
          if (!first.is_map()) {
            if (!failure.is_error()) {
              const Value args[] = {Value::EmptyMap(), first};
              failure = context_.Error(NoSuchOverloadText("cel.@mapInsert", args));
            }
          } else if (!failure.is_error()) {
            for (const doc::MapEntry& entry : first.as_map()) insert(entry.key, entry.value);
          }
          Charge(1);
        }
      }
    }
    if (LoopStep()) return stop_;
  }
  if (fold.init_costs) Charge(30);
  Charge(1);
  return failure.is_error() ? failure : table.Build();
}

}  // namespace portcullis::cel
