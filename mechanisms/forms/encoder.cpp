#include "mechanisms/forms/encoder.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "mechanisms/language/file_access.hpp"
#include "mechanisms/language/json_size.hpp"
#include "mechanisms/language/syntax.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

constexpr std::size_t largest_encoder = 16 << 20;
constexpr std::size_t most_entries = 1'000'000;
constexpr double most_products = 3e7;

[[noreturn]] void refuse_encoder(const std::string& what) {
  throw SpecError("matrix: encoder " + what);
}

/// Never quotes what the file has: who names a file in a spec need not be allowed to read it.
Rational entry_of(const nlohmann::json& value, const std::string& name) {
  if (value.is_number_unsigned()) return Rational(Integer(value.get<std::uint64_t>()));
  if (value.is_number_integer()) return Rational(Integer(value.get<std::int64_t>()));
  if (value.is_string()) {
    try {
      return syntax::parse_number(value.get_ref<const std::string&>(), "");
    } catch (const SpecError&) {
    }
  }
  throw SpecError("matrix: " + name +
                  ": entries must be texts such as \"0.1\" or \"1/3\", or integers");
}

}  // namespace

EncoderRows read_encoder(const std::string& path) {
  return parse_encoder(read_allowed_file("matrix: encoder", path, largest_encoder),
                       std::filesystem::path(path).filename().string());
}

EncoderRows parse_encoder(const std::string& text, const std::string& name) {
  const std::string file = abbreviated(name);
  const JsonSize size = json_size(text);
  if (size.values > most_entries || size.depth > 2) {
    throw SpecError("matrix: " + file + ": must be a list of lists of at most 10^6 numbers");
  }
  const nlohmann::json root = nlohmann::json::parse(text, nullptr, false);
  if (!root.is_array()) throw SpecError("matrix: " + file + ": must be a JSON list of rows");
  EncoderRows rows;
  for (const nlohmann::json& each : root) {
    if (!each.is_array()) throw SpecError("matrix: " + file + ": must be a JSON list of rows");
    rows.emplace_back();
    for (const nlohmann::json& value : each) rows.back().push_back(entry_of(value, file));
  }
  return rows;
}

void check_encoder(const EncoderRows& rows) {
  if (rows.empty()) refuse_encoder("must have at least one row");
  double products = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].size() != rows.size()) refuse_encoder("must be square");
    double in_row = 0;
    for (std::size_t j = 0; j < rows.size(); ++j) {
      if (rows[i][j] == 0) continue;
      ++in_row;
      if (j > i) {
        refuse_encoder("must be lower triangular: what a step adds is released in it or later");
      }
    }
    products += in_row * in_row;
  }
  if (products > most_products)
    refuse_encoder("is too large: the limit is 3*10^7 products of entries");
}

Gram gram_of(const EncoderRows& rows) {
  const std::size_t n = rows.size();
  const auto gram = std::make_shared<std::vector<std::vector<Rational>>>(
      n, std::vector<Rational>(n, Rational(0)));
  std::size_t reach = 1;
  for (const std::vector<Rational>& row : rows) {
    std::vector<std::size_t> places;
    for (std::size_t j = 0; j < n; ++j) {
      if (row[j] != 0) places.push_back(j);
    }
    for (const std::size_t i : places) {
      for (const std::size_t j : places) {
        (*gram)[i][j] += row[i] * row[j];
        reach = std::max(reach, i > j ? i - j + 1 : 1);
      }
    }
  }
  return {[gram](std::size_t i, std::size_t j) { return (*gram)[i][j]; }, reach};
}

// Columns i <= j share the rows j, ..., steps - 1: sum over r of c_(r-j) c_(r-i).
Gram gram_of_toeplitz(const std::vector<Rational>& column, std::size_t steps) {
  const std::size_t length = std::min(column.size(), steps);
  const auto sums = std::make_shared<std::vector<std::vector<Rational>>>();  // [lag][terms - 1]
  for (std::size_t lag = 0; lag < length; ++lag) {
    sums->emplace_back();
    Rational sum = 0;
    for (std::size_t k = 0; k + lag < length; ++k) {
      sum += column[k] * column[k + lag];
      sums->back().push_back(sum);
    }
  }
  const auto entry = [sums, steps](std::size_t i, std::size_t j) {
    const std::size_t lag = i > j ? i - j : j - i;
    if (lag >= sums->size()) return Rational(0);
    const std::size_t terms = steps - std::max(i, j);
    return (*sums)[lag][std::min(terms, (*sums)[lag].size()) - 1];
  };
  return {entry, length};
}

Gram gram_of_tree(std::size_t steps) {
  const auto entry = [steps](std::size_t i, std::size_t j) {
    long shared = 0;
    for (std::size_t width = 1; width <= steps; width *= 2) {
      if (i / width == j / width && (i / width + 1) * width <= steps) ++shared;
    }
    return Rational(shared);
  };
  return {entry, steps};
}

}  // namespace plaudit
