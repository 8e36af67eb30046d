// Certificates: a claim about one point of a privacy curve with everything needed to prove it
// again.
//
// A certificate says nothing about how its numbers were found. It holds the exact parameters, the
// claim, and for each statement it rests on the choices of one straight contour (Theorems 1, 2, 3
// and Lemma 2 in their plain forms: docs/certificates.md). A checker evaluates the theorems at
// these choices in its own arithmetic and sees whether the statement follows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "accountants/answer.hpp"
#include "mechanisms/gaussian_mixture.hpp"

namespace plaudit {

/// Trapezoidal rule on y + i eta, y = j d for first <= j <= last, its error bounded on the strip
/// of half-width v around that line. Exact doubles.
struct CertificateRule {
  double eta = 0;
  double v = 0;
  double d = 0;
  long first = 0;
  long last = 0;
};

/// One distinct factor of the composition in one direction: a Gaussian mixture, or Laplace noise,
/// whose moments are closed forms and need no rules.
struct CertificateFactor {
  GaussianMixture mixture;
  std::optional<Rational> laplace = {};  ///< sensitivity / scale; the mixture is empty then
  std::uint64_t count = 1;
  CertificateRule axis;   ///< A(r) at the order of the line
  CertificateRule line;   ///< A(r + i k h)
  CertificateRule decay;  ///< the bound of |M| beyond the last node
  CertificateRule right;  ///< A at the order of the right aliases
  CertificateRule left;   ///< A at the order of the left aliases
};

/// Upper bounds of what the band is made of, in units of delta.
struct CertificateErrors {
  std::string right_aliasing;
  std::string left_aliasing;
  std::string truncation;
  std::string nodes;  ///< quadrature and rounding of the sum, its half-width
};

/// delta(epsilon) <= at_most, or delta(epsilon) >= at_least, in one direction.
struct CertificateStatement {
  Direction direction = Direction::remove;
  Rational epsilon;
  std::optional<Rational> at_most;
  std::optional<Rational> at_least;
  double t = 0;            ///< abscissa of the line
  double h = 0;            ///< node distance
  long nodes = 0;          ///< k = 0 .. nodes
  int residues = 1;        ///< 1: the pole at 0; 2: also that at -1
  double right_order = 0;  ///< t' of the right aliases
  double left_order = 0;   ///< u of the left aliases
  long bits = 128;
  CertificateErrors errors;
  std::vector<CertificateFactor> factors;
};

struct Certificate {
  std::string spec;
  Quantity quantity = Quantity::epsilon;
  Rational argument;
  Rational lower;
  Rational upper;
  std::vector<CertificateStatement> statements;
};

/// What a checker concludes.
struct CertificateVerdict {
  bool accepted = false;
  std::string reason;  ///< why not
};

/// JSON of docs/certificates.md. Parsing throws std::invalid_argument naming the field.
std::string to_json(const Certificate& certificate);
Certificate parse_certificate(const std::string& text);

/// Proves the certificate again in interval arithmetic (MPFI), sharing neither arithmetic nor
/// formulas' code with the accountants.
CertificateVerdict check_certificate(const Certificate& certificate);

/// The exact factors of a composition, without rules. @throws std::invalid_argument naming one that
/// has no certificates.
std::vector<CertificateFactor> certificate_factors(const Composition& composition);

/// The enclosure and errors of one statement as the interval checker sees them.
struct StatementEvaluation {
  bool valid = false;
  std::string reason;
  Rational lower;
  Rational upper;
  CertificateErrors errors;
};
StatementEvaluation evaluate_statement(const CertificateStatement& statement);

/// A certificate for the claim that the answer to the question lies in [lower, upper] (exact
/// decimals, rounded outward from a proven band). @throws std::invalid_argument with the reason
/// where none can be made: other factors than those, or a band that the plain theorems do not
/// reach.
Certificate make_certificate(const Composition& composition, Quantity quantity,
                             const Rational& argument, const Rational& lower, const Rational& upper,
                             const Answer& answer);

}  // namespace plaudit
