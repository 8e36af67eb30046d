#include "verification/reports/json_text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace plaudit {

namespace {

/// Digits shown beyond those asked for, so that the width of the band can be seen.
constexpr int guard_digits_of_reports = 4;

}  // namespace

std::string printed(const Json& json) {
  return json.dump(2, ' ', true, Json::error_handler_t::replace);
}

std::string one_line(const Json& json) {
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string name_of(Quantity quantity) {
  return quantity == Quantity::epsilon ? "epsilon" : "delta";
}

std::string argument_name(Quantity quantity) {
  return quantity == Quantity::epsilon ? "delta" : "epsilon";
}

int printed_digits(const Answer& answer, int asked) {
  if (answer.digits >= asked) return asked;
  return std::clamp(digits_reached(answer.band).value_or(asked), answer.digits, asked);
}

std::string lower_text(const Enclosure& band, int digits) {
  return decimal_below(band, digits + guard_digits_of_reports);
}

std::string upper_text(const Enclosure& band, int digits) {
  return decimal_above(band, digits + guard_digits_of_reports);
}

Json ends_json(const Enclosure& band, int digits) {
  return {{"lower", lower_text(band, digits)}, {"upper", upper_text(band, digits)}};
}

Json report_head(const std::string& spec, Quantity quantity, const Rational& argument) {
  return {{"plaudit", PLAUDIT_VERSION},
          {"spec", spec},
          {"query", {{argument_name(quantity), to_string(argument)}}},
          {"quantity", name_of(quantity)}};
}

void put_adjacency(Json& report, const Adjacency& adjacency) {
  report["adjacency"] = adjacency.kind;
  report["group_size"] = adjacency.group_size();
  if (!adjacency.guarantee) report["guarantee"] = false;
  if (!adjacency.reading.empty()) report["reading"] = adjacency.reading;
}

void put_band_of(Json& report, const BandOf& of, int digits, bool lower) {
  if (of.why.empty()) return;  // nothing was asked
  Json end = {{"of", of.mechanism ? "mechanism" : "dominating pair"},
              {"attained", name_of(of.attained)},
              {"why", of.why}};
  if (!of.mechanism && of.attack) {
    end["attack"] = of.attack->spec;
    end[lower ? "mechanism_lower" : "mechanism_upper"] =
        lower ? lower_text(of.attack->band, digits) : upper_text(of.attack->band, digits);
  }
  report[lower ? "lower_end" : "upper_end"] = std::move(end);
}

}  // namespace plaudit
