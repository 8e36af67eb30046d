#include "verification/forms/quadrature.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/multiprecision/mpfr.hpp>

namespace plaudit {

namespace pairs {
template <>
Float number_of(const Rational& value) {
  const auto of = [](mpz_srcptr part) {
    char* text = mpz_get_str(nullptr, 10, part);
    Float number(text);
    void (*release)(void*, size_t);
    mp_get_memory_functions(nullptr, nullptr, &release);
    release(text, std::char_traits<char>::length(text) + 1);
    return number;
  };
  return of(mpq_numref(value.data())) / of(mpq_denref(value.data()));
}
template <>
Float from_zero_to(const Float&) {
  return Float(0);
}
}  // namespace pairs

namespace {
constexpr int most_halvings = 40;  ///< of pieces of one integral
}  // namespace

Directed around(const Estimated& found, double relative) {
  const Float tolerance = 10 * found.error + relative * abs(found.value) + Float("1e-70");
  const auto exactly = [](const Float& x) {
    return parse_rational(x.str(40, std::ios::scientific));
  };
  return hull(Directed(exactly(found.value - tolerance)),
              Directed(exactly(found.value + tolerance)));
}

Float normal_up_to(const Float& x) {
  using Binary = boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<36>,
                                               boost::multiprecision::et_off>;
  static const Float root = sqrt(Float(2));
  Binary value(Float(-x / root));
  mpfr_erfc(value.backend().data(), value.backend().data(), MPFR_RNDN);
  return Float(value) / 2;
}

Estimated integral(const Function& f, const std::vector<Float>& breaks, double tolerance) {
  using Rule = boost::math::quadrature::gauss_kronrod<Float, 31>;
  struct Piece {
    Float low;
    Float high;
    Estimated found;
  };
  const auto watched = [&](const Float& y) {
    check_work_limit();
    return f(y);
  };
  const auto piece = [&](const Float& low, const Float& high) {
    Piece one{low, high, {}};
    one.found.value = Rule::integrate(watched, low, high, 0, Float(tolerance), &one.found.error);
    return one;
  };
  std::vector<Piece> all;
  for (std::size_t i = 0; i + 1 < breaks.size(); ++i) {
    if (breaks[i] < breaks[i + 1]) all.push_back(piece(breaks[i], breaks[i + 1]));
  }
  for (int halved = 0;; ++halved) {
    Estimated sum;
    for (const Piece& one : all) sum += one.found;
    if (halved == most_halvings || sum.error <= tolerance * abs(sum.value)) return sum;
    const auto worst = std::max_element(all.begin(), all.end(), [](const Piece& a, const Piece& b) {
      return a.found.error < b.found.error;
    });
    const Piece former = *worst;
    const Float middle = (former.low + former.high) / 2;
    *worst = piece(former.low, middle);
    all.push_back(piece(middle, former.high));
  }
}

std::vector<Float> pieces(const Float& low, const Float& high, const Float& length) {
  std::vector<Float> breaks;
  for (Float y = low; y < high; y += length) breaks.push_back(y);
  breaks.push_back(high);
  return breaks;
}

std::optional<Directed> given_time(const std::function<std::optional<Directed>()>& value) {
  try {
    return value();
  } catch (const WorkLimitReached&) {
    return std::nullopt;
  } catch (const std::exception&) {  // beyond what a function of Boost covers
    return std::nullopt;
  }
}

Float level_of(const Rational& epsilon) { return exp(pairs::number_of<Float>(epsilon)); }

}  // namespace plaudit
