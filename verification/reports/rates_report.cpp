#include "verification/reports/rates_report.hpp"

#include <nlohmann/json.hpp>

#include "verification/reports/stopped_by.hpp"

namespace plaudit {

namespace {

/// Exact values with longer denominators are shown by their digits only.
constexpr std::size_t longest_exact_rate_bits = 4096;

Json ends_and_exact(const Enclosure& band, int digits) {
  Json json = ends_json(band, digits);
  if (band.exact && msb(denominator(*band.exact)) < longest_exact_rate_bits) {
    json["exact"] = to_string(*band.exact);
  }
  return json;
}

}  // namespace

Json json_report(const RateQuestion& question, const Answer& answer, int digits) {
  Json json = {{"quantity", question.quantity}};
  if (question.fpr) json["fpr"] = to_string(*question.fpr);
  if (question.prior) json["prior"] = to_string(*question.prior);
  json.update(ends_and_exact(answer.band, digits));
  json["certified"] = answer.band.certified;
  if (!answer.band.trusted.empty()) json["trusted"] = answer.band.trusted;
  json["reached"] = answer.reached;
  json["accountant"] = answer.band.accountant;
  if (!answer.band.remark.empty()) json["remark"] = answer.band.remark;
  put_band_of(json, answer.of, digits, question.quantity != "false_negative_rate");
  put_cause(json, answer.band.cause);
  json["directions"] = Json::object();
  for (const DirectionAnswer& one : answer.directions) {
    json["directions"][std::string(name_of(one.direction))] = ends_and_exact(one.band, digits);
  }
  json["seconds"] = answer.seconds;
  return json;
}

}  // namespace plaudit
