#include "verification/certificates/evidence.hpp"

#include <stdexcept>

namespace plaudit {

namespace {

using Json = nlohmann::ordered_json;

/// [m, e] for m 2^e.
Json dyadic(const Rational& x) {
  if (x == 0) return Json::array({0, 0});
  Integer mantissa = numerator(x);
  const Integer below = denominator(x);
  const auto places = static_cast<long>(msb(below));
  if (below != Integer(1) << static_cast<unsigned long>(places)) {
    throw std::invalid_argument("a choice of a certificate is no binary number");
  }
  const auto zeros = static_cast<long>(mpz_scan1(mantissa.data(), 0));
  mpz_fdiv_q_2exp(mantissa.data(), mantissa.data(), static_cast<mp_bitcnt_t>(zeros));
  if (abs(mantissa) > Integer(1) << 53) {
    throw std::invalid_argument("a choice of a certificate would need numbers beyond 2^53");
  }
  return Json::array({mantissa.to<long>(), zeros - places});
}

struct Written {
  const char* kind;
  Json choices;
};

Written written(const proof::LaplaceChoices& choices) {
  return {"laplace",
          {{"draws", choices.draws},
           {"first", choices.first},
           {"order", dyadic(choices.order)},
           {"window_order", dyadic(choices.window_order)},
           {"part", dyadic(choices.part)}}};
}

}  // namespace

Proposal proposal_of(const proof::Evidence& evidence) {
  Written text = std::visit([](const auto& choices) { return written(choices); }, evidence.choices);
  return {text.kind, evidence.bits, std::move(text.choices)};
}

}  // namespace plaudit
