// Conversions between Python's numbers and plaudit's.
#include "numbers.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>

namespace plaudit::python {

std::string bits_of(const Real& x) {
  const mpfr_srcptr raw = x.backend().data();
  if (mpfr_nan_p(raw) != 0) return "nan";
  if (mpfr_inf_p(raw) != 0) return mpfr_sgn(raw) > 0 ? "inf" : "-inf";
  mpfr_exp_t exponent = 0;
  const std::unique_ptr<char, void (*)(char*)> digits(
      mpfr_get_str(nullptr, &exponent, 16, 0, raw, MPFR_RNDN), mpfr_free_str);
  const std::string text(digits.get());
  const std::size_t sign = text[0] == '-' ? 1 : 0;
  return std::to_string(mpfr_get_prec(raw)) + ':' + text.substr(0, sign) + "0." +
         text.substr(sign) + '@' + std::to_string(exponent);
}

Real real_of(const std::string& bits) {
  const std::size_t colon = bits.find(':');
  Real result;
  mpfr_ptr raw = result.backend().data();
  const std::string digits = colon == std::string::npos ? bits : bits.substr(colon + 1);
  if (colon != std::string::npos) {
    const long precision = std::stol(bits.substr(0, colon));
    if (precision < MPFR_PREC_MIN || precision > 100'000'000) {
      throw std::invalid_argument("not a band that plaudit wrote");
    }
    mpfr_set_prec(raw, precision);
  }
  if (mpfr_set_str(raw, digits.c_str(), 16, MPFR_RNDN) != 0) {
    throw std::invalid_argument("not a band that plaudit wrote");
  }
  return result;
}

bool read_seconds(const py::handle& given, Seconds& seconds) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  seconds.count = infinite;
  if (given.is_none()) return true;
  if (PyBool_Check(given.ptr()) != 0) return false;
  seconds.count = PyFloat_AsDouble(given.ptr());
  if (PyErr_Occurred() == nullptr) return true;
  const bool too_large = PyErr_ExceptionMatches(PyExc_OverflowError) != 0;
  PyErr_Clear();
  seconds.count = given.attr("__lt__")(0).cast<bool>() ? -infinite : infinite;
  return too_large;
}

const char* name_of(Direction direction) {
  return direction == Direction::remove ? "remove" : "add";
}

Direction direction_of(const std::string& name) {
  if (name == "remove") return Direction::remove;
  if (name == "add") return Direction::add;
  throw std::invalid_argument("direction: must be remove or add, not " + name);
}

DirectionChoice choice_of(const std::string& name) {
  if (name == "both") return DirectionChoice::both;
  if (name == "remove") return DirectionChoice::remove;
  if (name == "add") return DirectionChoice::add;
  throw std::invalid_argument("direction: must be both, remove or add, not " + name);
}

Number number_of(const py::handle& given) {
  if (PyFloat_Check(given.ptr()) != 0) return Number(given.cast<double>());
  return Number(py::str(given).cast<std::string>());
}

namespace {

Interval end_of(const py::handle& given) {
  if (py::isinstance<Interval>(given)) return given.cast<Interval>();
  if (PyFloat_Check(given.ptr()) != 0) {
    const double value = given.cast<double>();
    if (std::isnan(value)) throw std::invalid_argument("an end must not be nan");
    Real real;
    mpfr_set_prec(real.backend().data(), 53);
    mpfr_set_d(real.backend().data(), value, MPFR_RNDN);
    return {real, real};
  }
  return interval(number_of(given));
}

}  // namespace

Interval enclosure_of(const py::handle& given) {
  if (py::isinstance<py::tuple>(given) || py::isinstance<py::list>(given)) {
    const auto ends = given.cast<py::sequence>();
    if (ends.size() != 2) throw std::invalid_argument("an enclosure has two ends");
    const Interval lower = end_of(ends[0]);
    const Interval upper = end_of(ends[1]);
    if (!(lower.lower <= upper.upper)) {
      throw std::invalid_argument("an enclosure's lower end must not exceed its upper end");
    }
    return {lower.lower, upper.upper};
  }
  return end_of(given);
}

}  // namespace plaudit::python
