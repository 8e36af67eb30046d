#include "verification/certificates/evidence.hpp"

#include <stdexcept>

#include "verification/certificates/proposals/contour_proposals.hpp"
#include "verification/certificates/proposals/moment_proposals.hpp"

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

std::optional<Proposal> proposal(const proof::LaplaceChoices& choices, long bits,
                                 const StatementQuestion&, double) {
  return proposal_of(choices, bits);
}
std::optional<Proposal> proposal(const proof::LineChoices& choices, long,
                                 const StatementQuestion& question, double more_nats) {
  return line_proposal(question, choices, more_nats);
}
std::optional<Proposal> proposal(const proof::MomentChoices& choices, long,
                                 const StatementQuestion& question, double) {
  return moment_proposal(question, choices);
}

}  // namespace

Proposal proposal_of(const proof::LaplaceChoices& choices, long bits) {
  return {"laplace",
          bits,
          {{"draws", choices.draws},
           {"first", choices.first},
           {"order", dyadic(choices.order)},
           {"window_order", dyadic(choices.window_order)},
           {"part", dyadic(choices.part)}}};
}

std::optional<Proposal> proposal_of(const proof::Evidence& evidence,
                                    const StatementQuestion& question, double more_nats) {
  return std::visit(
      [&](const auto& choices) { return proposal(choices, evidence.bits, question, more_nats); },
      evidence.choices);
}

}  // namespace plaudit
