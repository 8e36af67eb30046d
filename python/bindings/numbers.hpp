// Conversions between Python's numbers and plaudit's: exact numbers come in as text, ends go out as
// doubles that are rounded outward.
#pragma once

#include <mpfr.h>
#include <pybind11/pybind11.h>

#include <plaudit/extend.hpp>
#include <string>

namespace plaudit::python {

namespace py = pybind11;

inline double below(const Real& x) { return mpfr_get_d(x.backend().data(), MPFR_RNDD); }
inline double above(const Real& x) { return mpfr_get_d(x.backend().data(), MPFR_RNDU); }

/// A limit of time as Python states it: a number of seconds, or None or infinity for no limit.
struct Seconds {
  double count = 0;
  operator double() const { return count; }  // NOLINT(google-explicit-constructor)
};

/// False where it is no number.
bool read_seconds(const py::handle& given, Seconds& seconds);

/// All bits of a number as text in base 16, for pickling, and back.
std::string bits_of(const Real& x);
Real real_of(const std::string& bits);

/// "remove", "add"; "both" too where a choice is asked for.
const char* name_of(Direction direction);
Direction direction_of(const std::string& name);
DirectionChoice choice_of(const std::string& name);

/// The interval that a value of a law written in Python stands for: an Interval, two ends, or one
/// number. A float is that double; text, int, Fraction and Decimal are exact.
Interval enclosure_of(const py::handle& given);

/// An exact number, read in the same way.
Number number_of(const py::handle& given);

void bind_queries(py::module_& module);
void bind_verification(py::module_& module);
void bind_calibration(py::module_& module);
void bind_observations(py::module_& module);
void bind_intervals(py::module_& module);
void bind_extend(py::module_& module);

}  // namespace plaudit::python

template <>
struct pybind11::detail::type_caster<plaudit::python::Seconds> {
  PYBIND11_TYPE_CASTER(plaudit::python::Seconds, const_name("float | None"));
  bool load(handle given, bool) { return plaudit::python::read_seconds(given, value); }
};
