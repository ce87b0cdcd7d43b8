#include "base/cron.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "base/time.h"

namespace portcullis::base {
namespace {

constexpr int kSecondsPerDay = 86'400;

// Tokens of a field are its values in order, from `first`.
struct Field {
  std::string_view name;
  int first;
  int last;
  std::span<const std::string_view> names;  // three letters or more of these stand for values
};

constexpr std::string_view kMonths[] = {"january",   "february", "march",    "april",
                                        "may",       "june",     "july",     "august",
                                        "september", "october",  "november", "december"};
constexpr std::string_view kWeekdays[] = {"sunday",   "monday", "tuesday", "wednesday",
                                          "thursday", "friday", "saturday"};

constexpr Field kSecond{"second", 0, 59, {}};
constexpr Field kMinute{"minute", 0, 59, {}};
constexpr Field kHour{"hour", 0, 23, {}};
constexpr Field kDayOfMonth{"day-of-month", 1, 31, {}};
constexpr Field kMonth{"month", 1, 12, kMonths};
constexpr Field kDayOfWeek{"day-of-week", 0, 7, kWeekdays};  // both ends are Sunday

struct Macro {
  std::string_view name;
  std::string_view fields;
};
constexpr Macro kMacros[] = {
    {"@yearly", "0 0 0 1 1 * *"}, {"@annually", "0 0 0 1 1 * *"}, {"@monthly", "0 0 0 1 * * *"},
    {"@weekly", "0 0 0 * * 0 *"}, {"@daily", "0 0 0 * * * *"},    {"@hourly", "0 0 * * * * *"},
};

std::vector<std::string_view> Split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> out;
  std::size_t at = 0;
  while ((at = text.find_first_not_of(separators, at)) != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end;
  }
  return out;
}

std::string Lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

// A number of at most four digits.
std::optional<int> Number(std::string_view text) {
  if (text.empty() || text.size() > 4) return std::nullopt;
  int out = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    out = out * 10 + (c - '0');
  }
  return out;
}

// A value of the field, as a number or by its name, full or cut to three letters.
std::optional<int> ValueOf(std::string_view text, const Field& field) {
  for (std::size_t i = 0; i < field.names.size(); ++i) {
    if (text == field.names[i] || text == field.names[i].substr(0, 3)) {
      return field.first + static_cast<int>(i);
    }
  }
  const auto number = Number(text);
  const bool two_digits = text.size() <= 2 || field.last > 99;
  if (!number || !two_digits || *number < field.first || *number > field.last) return std::nullopt;
  return number;
}

// One entry of a field: a value, a range, both with a step. Not for special entries.
struct Entry {
  bool any = false;  // `*` or `?` alone
  int first = 0;
  int last = 0;
  int step = 1;
};

enum class EntryKind { kPlain, kSpecial, kBadStep };

EntryKind ParseEntry(std::string_view text, const Field& field, Entry& out) {
  if (text == "*" || text == "?") {
    out = {true, field.first, field.last, 1};
    return EntryKind::kPlain;
  }
  const std::size_t slash = text.find('/');
  const std::string_view range = text.substr(0, slash);
  const std::size_t dash = range.find('-');
  if (range == "*" && slash != std::string_view::npos) {
    out = {false, field.first, field.last, 1};
  } else {
    const auto first = ValueOf(range.substr(0, dash), field);
    if (!first) return EntryKind::kSpecial;
    out = {false, *first, slash == std::string_view::npos ? *first : field.last, 1};
    if (dash != std::string_view::npos) {
      const auto last = ValueOf(range.substr(dash + 1), field);
      if (!last) return EntryKind::kSpecial;
      out.last = *last;
    }
  }
  if (slash == std::string_view::npos) return EntryKind::kPlain;
  const std::string_view step = text.substr(slash + 1);
  if (step.empty() || step.find_first_not_of("0123456789") != std::string_view::npos) {
    return EntryKind::kSpecial;
  }
  out.step = Number(step).value_or(0);
  return out.step < 1 || out.step > field.last ? EntryKind::kBadStep : EntryKind::kPlain;
}

int DayOfWeek(std::int64_t year, int month, int day) {
  constexpr std::int64_t kThursday = 4;  // 1970-01-01
  const std::int64_t days = DaysFromCivil(year, month, day) + kThursday;
  return static_cast<int>(((days % 7) + 7) % 7);
}

// The working day of the month nearest to `day`, in the same month.
int NearestWorkday(std::int64_t year, int month, int day) {
  const int last = DaysInMonth(year, month);
  day = std::min(day, last);
  const int weekday = DayOfWeek(year, month, day);
  if (weekday == 6) return day > 1 ? day - 1 : day + 2;
  if (weekday == 0) return day < last ? day + 1 : day - 2;
  return day;
}

Error Bad(std::string text) { return {ErrorCode::kSyntax, std::move(text)}; }

Error SyntaxError(const Field& field, std::string_view entry) {
  return Bad("syntax error in " + std::string(field.name) + " field: '" + std::string(entry) + "'");
}

}  // namespace

class CronParser {
 public:
  explicit CronParser(CronSchedule& out) : out_(out) {}

  Result<void> Parse(std::string_view text) {
    std::vector<std::string_view> fields = Split(text, " \t\r\n\f\v");
    for (const Macro& macro : kMacros) {
      if (fields.size() == 1 && fields[0] == macro.name) fields = Split(macro.fields, " ");
    }
    constexpr std::size_t kAll = 7;
    if (fields.size() < 5) return Bad("missing field(s)");
    if (fields.size() > kAll) fields.resize(kAll);
    const bool has_seconds = fields.size() == kAll;
    const bool has_year = fields.size() > 5;
    std::size_t at = 0;
    out_.seconds_.set(0);
    if (has_seconds) {
      out_.seconds_.reset();
      PC_TRY(Simple(fields[at++], kSecond, out_.seconds_));
    }
    PC_TRY(Simple(fields[at++], kMinute, out_.minutes_));
    PC_TRY(Simple(fields[at++], kHour, out_.hours_));
    PC_TRY(DaysOfMonth(fields[at++]));
    PC_TRY(Simple(fields[at++], kMonth, out_.months_));
    PC_TRY(DaysOfWeek(fields[at++]));
    if (!has_year) {
      out_.years_.set();
      return {};
    }
    return Years(fields[at]);
  }

 private:
  // Calls `add(value)` for plain entries and `special(entry)` for others, which is false for
  // entries that mean nothing. True in `any`: an entry stands for everything.
  template <typename Add, typename Special>
  static Result<void> Entries(std::string_view text, const Field& field, bool& any, Add add,
                              Special special) {
    const auto entries = Split(text, ",");
    if (entries.empty()) return Bad(std::string(field.name) + " field: missing directive");
    for (const std::string_view written : entries) {
      const std::string lower = Lower(written);
      Entry entry;
      switch (ParseEntry(lower, field, entry)) {
        case EntryKind::kBadStep:
          return Bad("invalid interval " + lower);
        case EntryKind::kSpecial:
          if (!special(lower)) return SyntaxError(field, written);
          break;
        case EntryKind::kPlain:
          any = any || entry.any;
          for (int value = entry.first; value <= entry.last; value += entry.step) add(value);
          break;
      }
    }
    return {};
  }

  template <std::size_t N>
  static Result<void> Simple(std::string_view text, const Field& field, std::bitset<N>& out) {
    bool any = false;
    return Entries(
        text, field, any, [&](int value) { out.set(static_cast<std::size_t>(value)); },
        [](std::string_view) { return false; });
  }

  Result<void> Years(std::string_view text) {
    static constexpr Field kYear{"year", CronSchedule::kFirstYear, CronSchedule::kLastYear, {}};
    bool any = false;
    return Entries(
        text, kYear, any,
        [&](int value) { out_.years_.set(static_cast<std::size_t>(value - kYear.first)); },
        [](std::string_view) { return false; });
  }

  Result<void> DaysOfMonth(std::string_view text) {
    return Entries(
        text, kDayOfMonth, out_.any_day_of_month_,
        [&](int value) { out_.days_.set(static_cast<std::size_t>(value)); },
        [&](std::string_view entry) {
          if (entry == "l") return out_.last_day_ = true;
          if (entry == "lw") return out_.last_workday_ = true;
          if (!entry.ends_with('w')) return false;
          const auto day = ValueOf(entry.substr(0, entry.size() - 1), kDayOfMonth);
          if (day) out_.workdays_.set(static_cast<std::size_t>(*day));
          return day.has_value();
        });
  }

  Result<void> DaysOfWeek(std::string_view text) {
    const auto weekday = [](int value) { return static_cast<std::size_t>(value % 7); };
    return Entries(
        text, kDayOfWeek, out_.any_day_of_week_,
        [&](int value) { out_.weekdays_.set(weekday(value)); },
        [&](std::string_view entry) {
          if (entry.ends_with('l')) {
            const auto day = ValueOf(entry.substr(0, entry.size() - 1), kDayOfWeek);
            if (day) out_.last_weekdays_.set(weekday(*day));
            return day.has_value();
          }
          const std::size_t hash = entry.find('#');
          if (hash == std::string_view::npos) return false;
          const auto day = ValueOf(entry.substr(0, hash), kDayOfWeek);
          const auto nth = Number(entry.substr(hash + 1));
          if (!day || !nth || *nth < 1 || *nth > 5) return false;
          out_.nth_weekdays_[weekday(*day)].set(static_cast<std::size_t>(*nth));
          return true;
        });
  }

  CronSchedule& out_;
};

Result<CronSchedule> CronSchedule::Parse(std::string_view text) {
  CronSchedule out;
  PC_TRY(CronParser(out).Parse(text));
  return out;
}

bool CronSchedule::MatchesDayOfMonth(std::int64_t year, int month, int day) const {
  if (days_.test(static_cast<std::size_t>(day))) return true;
  const int last = DaysInMonth(year, month);
  if (last_day_ && day == last) return true;
  if (last_workday_ && day == NearestWorkday(year, month, last)) return true;
  for (int wanted = 1; workdays_.any() && wanted <= last; ++wanted) {
    if (workdays_.test(static_cast<std::size_t>(wanted)) &&
        day == NearestWorkday(year, month, wanted)) {
      return true;
    }
  }
  return false;
}

bool CronSchedule::MatchesDayOfWeek(std::int64_t year, int month, int day) const {
  const auto weekday = static_cast<std::size_t>(DayOfWeek(year, month, day));
  if (weekdays_.test(weekday)) return true;
  if (last_weekdays_.test(weekday) && day + 7 > DaysInMonth(year, month)) return true;
  return nth_weekdays_[weekday].test(static_cast<std::size_t>((day - 1) / 7 + 1));
}

// When both fields say something, either one is enough.
bool CronSchedule::MatchesDay(std::int64_t year, int month, int day) const {
  if (any_day_of_month_ && any_day_of_week_) return true;
  if (!any_day_of_month_ && MatchesDayOfMonth(year, month, day)) return true;
  return !any_day_of_week_ && MatchesDayOfWeek(year, month, day);
}

std::optional<std::int64_t> CronSchedule::NextOfDay(std::int64_t midnight,
                                                    std::int64_t after) const {
  for (std::size_t hour = 0; hour < hours_.size(); ++hour) {
    if (!hours_.test(hour)) continue;
    for (std::size_t minute = 0; minute < minutes_.size(); ++minute) {
      if (!minutes_.test(minute)) continue;
      for (std::size_t second = 0; second < seconds_.size(); ++second) {
        if (!seconds_.test(second)) continue;
        const auto at = midnight + static_cast<std::int64_t>((hour * 60 + minute) * 60 + second);
        if (at > after) return at;
      }
    }
  }
  return std::nullopt;
}

std::optional<std::int64_t> CronSchedule::Next(std::int64_t seconds) const {
  const CivilTime start = CivilFromSeconds(std::max<std::int64_t>(seconds, 0));
  for (std::int64_t year = start.year; year <= kLastYear; ++year) {
    if (!years_.test(static_cast<std::size_t>(year - kFirstYear))) continue;
    const bool first_year = year == start.year;
    for (int month = first_year ? start.month : 1; month <= 12; ++month) {
      if (!months_.test(static_cast<std::size_t>(month))) continue;
      const bool first_month = first_year && month == start.month;
      const int days = DaysInMonth(year, month);
      for (int day = first_month ? start.day : 1; day <= days; ++day) {
        if (!MatchesDay(year, month, day)) continue;
        const auto at = NextOfDay(DaysFromCivil(year, month, day) * kSecondsPerDay, seconds);
        if (at) return at;
      }
    }
  }
  return std::nullopt;
}

}  // namespace portcullis::base
