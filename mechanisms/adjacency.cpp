#include "mechanisms/adjacency.hpp"

#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

constexpr std::size_t longest_number = 40;
constexpr std::size_t longest_kind = 200;  ///< as files may have it (forms/pld_file.cpp)

/// A word of the spec language as it is; what a file says, in quotes.
std::string kind_text(const std::string& kind) {
  for (const char* known : {Adjacency::as_stated, Adjacency::add_remove, Adjacency::replace,
                            Adjacency::zero_out, Adjacency::none, Adjacency::this_data_set}) {
    if (kind == known) return kind;
  }
  return abbreviated(kind, longest_kind);
}

std::string joined(const std::string& a, const std::string& b) {
  if (a.empty()) return b;
  return b.empty() || a.find(b) != std::string::npos ? a : a + "; " + b;
}

}  // namespace

std::optional<Adjacency> common(const Adjacency& a, const Adjacency& b) {
  const bool kinds =
      a.kind == b.kind || a.kind == Adjacency::as_stated || b.kind == Adjacency::as_stated;
  const bool groups = !a.group || !b.group || *a.group == *b.group;
  if (!kinds || !groups) return std::nullopt;
  return Adjacency{a.kind == Adjacency::as_stated ? b.kind : a.kind, a.group ? a.group : b.group,
                   a.guarantee && b.guarantee, joined(a.reading, b.reading)};
}

std::string to_text(const Adjacency& adjacency) {
  std::string text = kind_text(adjacency.kind);
  if (adjacency.group_size() != 1) {
    text += ", groups of up to " + std::to_string(adjacency.group_size()) + " records";
  }
  return text + words_without_guarantee(adjacency);
}

std::string words_without_guarantee(const Adjacency& adjacency) {
  if (adjacency.guarantee) return "";
  return adjacency.kind == Adjacency::this_data_set
             ? ", no privacy guarantee; the number is private"
             : ", no privacy guarantee";
}

std::string two_readings(const std::string& user, const Rational& noise_multiplier) {
  std::string number = to_string(noise_multiplier);
  if (number.size() > longest_number) number = number.substr(0, longest_number) + "...";
  return user + ": noise_multiplier=" + number +
         " has two readings under replace adjacency: gaussian(sigma=" + number +
         ") where it is sigma over what replacing a record moves the sum by, gaussian(sigma=" +
         number + ", sensitivity=2) where it is sigma over the clipping norm; state one of them";
}

}  // namespace plaudit
