#include "cli/question.hpp"

#include <nlohmann/json.hpp>

#include "accountants/session/band_of.hpp"
#include "cli/output/complain.hpp"
#include "cli/output/usage_error.hpp"

namespace plaudit::cli {

Json message_of(const BandOf& of) { return {static_cast<int>(of.attained), of.mechanism, of.why}; }

BandOf heard_band_of(const Json& json) {
  return {static_cast<Attained>(json[0].get<int>()), json[1], json[2], {}, {}};
}

std::string spec_message(const Composition& composition, const std::string& bound) {
  const Adjacency& adjacency = composition.adjacency();
  Json message = {
      {"spec", composition.spec()}, {"kind", adjacency.kind}, {"guarantee", adjacency.guarantee}};
  if (!bound.empty()) message["bound"] = bound;
  message["of_curve"] = message_of(band_of(composition, NumberOf::curve));
  message["of_law"] = message_of(band_of(composition, NumberOf::law));
  if (adjacency.group) message["group"] = *adjacency.group;
  if (!adjacency.reading.empty()) message["reading"] = adjacency.reading;
  return one_line(message);
}

ReadSpec read_spec_of(const std::string& message) {
  const Json json = Json::parse(message);
  ReadSpec result{json["spec"], {json["kind"], std::nullopt, json["guarantee"], {}}, ""};
  if (json.contains("group")) result.adjacency.group = json["group"].get<std::uint64_t>();
  if (json.contains("bound")) result.bound = json["bound"];
  result.of_curve = heard_band_of(json["of_curve"]);
  result.of_law = heard_band_of(json["of_law"]);
  if (json.contains("reading")) result.adjacency.reading = json["reading"];
  return result;
}

ReadSpec heard_spec(const std::string& message) {
  ReadSpec spec = read_spec_of(message);
  if (!spec.bound.empty()) {
    complain(spec.bound + ": upper ends hold for the run, lower ends do not");
  }
  return spec;
}

Answer trivial_answer(Quantity quantity, const Options& options, const std::string& remark) {
  Answer answer;
  answer.quantity = quantity;
  answer.band.lower = Ball(0);
  answer.band.upper = quantity == Quantity::delta ? Ball(1) : positive_infinity();
  answer.band.accountant = "none";
  answer.band.remark = remark;
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const auto other =
        direction == Direction::remove ? DirectionChoice::add : DirectionChoice::remove;
    if (options.direction != other) {
      answer.directions.push_back({direction, answer.band});
    }
  }
  answer.digits = options.digits;
  return answer;
}

int status_after(const End& end) {
  if (end.how == Ending::refused) throw UsageError(end.words);
  if (end.how == Ending::broken) {
    complain(end.words);
    return exit_refuted;
  }
  if (end.how == Ending::failed) {
    complain(end.words);
    return exit_internal_error;
  }
  return end.how == Ending::finished ? exit_done : exit_not_reached;
}

int status_after(const End& end, bool reached) {
  const int status = status_after(end);
  if (status == exit_internal_error || status == exit_refuted) return status;
  return reached ? exit_done : exit_not_reached;
}

int status_without_spec(const End& end) {
  if (end.how == Ending::time || end.how == Ending::memory) {
    complain(end.words + " before the spec was read; raise --timeout or --memory");
  } else if (end.how == Ending::beyond) {
    complain(end.words);
  }
  return status_after(end);
}

}  // namespace plaudit::cli
