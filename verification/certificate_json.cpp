// Certificates as JSON: docs/certificates.md. Doubles are [m, e] for m * 2^e, exactly; rationals
// are text.
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "verification/certificate.hpp"

namespace plaudit {

namespace {

using Json = nlohmann::ordered_json;

constexpr int version = 1;

Json dyadic(double x) {
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);
  while (mantissa != std::floor(mantissa)) {
    mantissa *= 2;
    --exponent;
  }
  return Json::array({static_cast<long long>(mantissa), exponent});
}

const Json& field(const Json& object, const char* name) {
  if (!object.is_object() || !object.contains(name)) {
    throw std::invalid_argument(std::string("certificate: the field ") + name + " is missing");
  }
  return object.at(name);
}

[[noreturn]] void wrong(const char* name, const char* domain) {
  throw std::invalid_argument(std::string("certificate: ") + name + " must be " + domain);
}

double number(const Json& object, const char* name) {
  const Json& value = field(object, name);
  if (!value.is_array() || value.size() != 2 || !value[0].is_number_integer() ||
      !value[1].is_number_integer()) {
    wrong(name, "two integers [m, e] for m * 2^e");
  }
  const auto mantissa = value[0].get<long long>();
  const auto exponent = value[1].get<long long>();
  if (std::llabs(mantissa) > (1LL << 53) || std::llabs(exponent) > 1100) {
    wrong(name, "a double");
  }
  return std::ldexp(static_cast<double>(mantissa), static_cast<int>(exponent));
}

long integer(const Json& object, const char* name) {
  const Json& value = field(object, name);
  if (!value.is_number_integer()) wrong(name, "an integer");
  return value.get<long>();
}

std::string text(const Json& object, const char* name) {
  const Json& value = field(object, name);
  if (!value.is_string()) wrong(name, "a string");
  return value.get<std::string>();
}

Rational rational(const Json& object, const char* name) {
  try {
    return parse_rational(text(object, name));
  } catch (const NumberError&) {
    wrong(name, "an exact number as text");
  }
}

Json rule(const CertificateRule& r) {
  return {{"eta", dyadic(r.eta)},
          {"v", dyadic(r.v)},
          {"d", dyadic(r.d)},
          {"first", r.first},
          {"last", r.last}};
}

CertificateRule rule(const Json& object, const char* name) {
  const Json& value = field(object, name);
  return {number(value, "eta"), number(value, "v"), number(value, "d"), integer(value, "first"),
          integer(value, "last")};
}

Json rationals(const std::vector<Rational>& list) {
  Json result = Json::array();
  for (const Rational& each : list) result.push_back(to_string(each));
  return result;
}

std::vector<Rational> rationals(const Json& object, const char* name) {
  const Json& list = field(object, name);
  if (!list.is_array()) wrong(name, "a list");
  std::vector<Rational> result;
  for (const Json& each : list) {
    if (!each.is_string()) wrong(name, "a list of exact numbers as text");
    result.push_back(parse_rational(each.get<std::string>()));
  }
  return result;
}

Json statement(const CertificateStatement& s) {
  Json factors = Json::array();
  for (const CertificateFactor& f : s.factors) {
    if (f.laplace) {
      factors.push_back({{"laplace", to_string(*f.laplace)}, {"count", f.count}});
      continue;
    }
    Json item = {{"sigma", to_string(f.mixture.sigma)},
                 {"sensitivities", rationals(f.mixture.sensitivities)},
                 {"probabilities", rationals(f.mixture.probabilities)},
                 {"count", f.count}};
    if (f.mixture.sensitivities.size() > 1) {
      item["axis"] = rule(f.axis);
      item["line"] = rule(f.line);
      item["decay"] = rule(f.decay);
      item["right"] = rule(f.right);
      item["left"] = rule(f.left);
    }
    factors.push_back(std::move(item));
  }
  Json result = {{"direction", s.direction == Direction::remove ? "remove" : "add"},
                 {"epsilon", to_string(s.epsilon)}};
  if (s.at_most) result["at_most"] = to_string(*s.at_most);
  if (s.at_least) result["at_least"] = to_string(*s.at_least);
  result["contour"] = {{"t", dyadic(s.t)},
                       {"h", dyadic(s.h)},
                       {"nodes", s.nodes},
                       {"residues", s.residues},
                       {"right_order", dyadic(s.right_order)},
                       {"left_order", dyadic(s.left_order)},
                       {"bits", s.bits}};
  result["errors"] = {{"right_aliasing", s.errors.right_aliasing},
                      {"left_aliasing", s.errors.left_aliasing},
                      {"truncation", s.errors.truncation},
                      {"nodes", s.errors.nodes}};
  result["factors"] = std::move(factors);
  return result;
}

CertificateStatement statement(const Json& object) {
  CertificateStatement s;
  const std::string direction = text(object, "direction");
  if (direction != "remove" && direction != "add") wrong("direction", "remove or add");
  s.direction = direction == "remove" ? Direction::remove : Direction::add;
  s.epsilon = rational(object, "epsilon");
  if (object.contains("at_most")) s.at_most = rational(object, "at_most");
  if (object.contains("at_least")) s.at_least = rational(object, "at_least");
  const Json& contour = field(object, "contour");
  s.t = number(contour, "t");
  s.h = number(contour, "h");
  s.nodes = integer(contour, "nodes");
  s.residues = static_cast<int>(integer(contour, "residues"));
  s.right_order = number(contour, "right_order");
  s.left_order = number(contour, "left_order");
  s.bits = integer(contour, "bits");
  const Json& errors = field(object, "errors");
  s.errors = {text(errors, "right_aliasing"), text(errors, "left_aliasing"),
              text(errors, "truncation"), text(errors, "nodes")};
  const Json& factors = field(object, "factors");
  if (!factors.is_array()) wrong("factors", "a list");
  for (const Json& item : factors) {
    CertificateFactor f;
    const long count = integer(item, "count");
    if (count < 1) wrong("count", "a positive integer");
    f.count = static_cast<std::uint64_t>(count);
    if (item.contains("laplace")) {
      f.laplace = rational(item, "laplace");
      s.factors.push_back(std::move(f));
      continue;
    }
    f.mixture = {rational(item, "sigma"), rationals(item, "sensitivities"),
                 rationals(item, "probabilities")};
    if (f.mixture.sensitivities.size() != 1) {
      f.axis = rule(item, "axis");
      f.line = rule(item, "line");
      f.decay = rule(item, "decay");
      f.right = rule(item, "right");
      f.left = rule(item, "left");
    }
    s.factors.push_back(std::move(f));
  }
  return s;
}

}  // namespace

std::string to_json(const Certificate& c) {
  Json statements = Json::array();
  for (const CertificateStatement& s : c.statements) statements.push_back(statement(s));
  const Json result = {
      {"plaudit_certificate", version},
      {"theorem", "straight contour: Theorems 1, 1', 2, 3 and Lemma 2 of docs/certificates.md"},
      {"spec", c.spec},
      {"quantity", c.quantity == Quantity::epsilon ? "epsilon" : "delta"},
      {"argument", to_string(c.argument)},
      {"lower", to_string(c.lower)},
      {"upper", to_string(c.upper)},
      {"statements", statements}};
  return result.dump(1) + "\n";
}

Certificate parse_certificate(const std::string& source) {
  Json json;
  try {
    json = Json::parse(source);
  } catch (const Json::exception&) {
    throw std::invalid_argument("certificate: not JSON");
  }
  if (integer(json, "plaudit_certificate") != version) wrong("plaudit_certificate", "1");
  Certificate c;
  c.spec = text(json, "spec");
  const std::string quantity = text(json, "quantity");
  if (quantity != "epsilon" && quantity != "delta") wrong("quantity", "epsilon or delta");
  c.quantity = quantity == "epsilon" ? Quantity::epsilon : Quantity::delta;
  c.argument = rational(json, "argument");
  c.lower = rational(json, "lower");
  c.upper = rational(json, "upper");
  const Json& statements = field(json, "statements");
  if (!statements.is_array()) wrong("statements", "a list");
  for (const Json& each : statements) c.statements.push_back(statement(each));
  return c;
}

}  // namespace plaudit
