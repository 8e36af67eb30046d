// Mechanisms and accountants written in Python: objects with the methods of plaudit.Mechanism,
// plaudit.Law and plaudit.Accountant, asked under the interpreter's lock.
#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "calls.hpp"
#include "numbers.hpp"

namespace plaudit::python {

namespace {

/// A Python object whose reference is dropped under the interpreter's lock, on whichever thread.
class Held {
 public:
  explicit Held(py::object object) : object_(std::move(object)) {}
  ~Held() {
    if (Py_IsInitialized() == 0) {  // the registry outlives the interpreter
      object_.release();
      return;
    }
    const py::gil_scoped_acquire lock;
    object_.release().dec_ref();
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  const py::object& operator*() const { return object_; }

 private:
  py::object object_;
};

/// Calls the user's code under the lock and turns what it raises into a C++ exception: a ValueError
/// (SpecError and NotApplicable too) into a refusal with its words, another Exception into one that
/// names it, and KeyboardInterrupt and SystemExit into Raised, which ends the call.
template <class Work>
auto asked(const std::string& whom, Work&& work) {
  const py::gil_scoped_acquire lock;
  try {
    return work();
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_Exception)) {  // KeyboardInterrupt, SystemExit
      throw Raised{std::make_shared<py::error_already_set>(std::move(error))};
    }
    const bool refuses = error.matches(PyExc_ValueError);
    const std::string words = py::str(error.value()).cast<std::string>();
    const std::string kind = py::str(error.type().attr("__name__")).cast<std::string>();
    if (refuses) throw std::invalid_argument(words);
    throw std::runtime_error(whom + " raised " + kind + ": " + words);
  } catch (const py::cast_error&) {
    throw std::runtime_error(whom + " returned something of a wrong type");
  }
}

py::object fraction_of(const Number& number) {
  return py::module_::import("fractions").attr("Fraction")(number.text());
}

class PythonLaw final : public extend::Law {
 public:
  PythonLaw(std::string name, py::object object)
      : name_(std::move(name)),
        has_mgf_(py::hasattr(object, "mgf") && !object.attr("mgf").is_none()),
        object_(std::move(object)) {}

  Interval p_above(const Interval& x) const override { return enclosure("p_above", x); }
  Interval q_above(const Interval& x) const override { return enclosure("q_above", x); }
  Interval mass_at_infinity() const override { return enclosure("mass_at_infinity"); }
  Interval q_mass() const override { return enclosure("q_mass"); }
  Interval least_loss() const override {
    return optional("least_loss").value_or(extend::Law::least_loss());
  }
  Interval greatest_loss() const override {
    return optional("greatest_loss").value_or(extend::Law::greatest_loss());
  }
  std::optional<Number> exact_greatest_loss() const override {
    return exact("exact_greatest_loss");
  }
  std::optional<Number> exact_mass_at_infinity() const override {
    return exact("exact_mass_at_infinity");
  }
  std::optional<Interval> atom(const Interval& x) const override { return optional("atom", x); }
  std::optional<Interval> density(const Interval& x) const override {
    return optional("density", x);
  }
  std::vector<extend::Atom> atoms() const override {
    return asked(name_ + ".atoms", [&] {
      std::vector<extend::Atom> result;
      const py::object given = (*object_).attr("atoms")();
      if (given.is_none()) return result;
      for (const py::handle each : given) {
        const auto atom = each.cast<py::sequence>();
        result.push_back({enclosure_of(atom[0]), enclosure_of(atom[1])});
      }
      return result;
    });
  }
  std::optional<extend::Lattice> lattice() const override {
    return asked(name_ + ".lattice", [&]() -> std::optional<extend::Lattice> {
      const py::object given = (*object_).attr("lattice")();
      if (given.is_none()) return std::nullopt;
      const auto parts = given.cast<py::sequence>();
      return extend::Lattice{number_of(parts[0]), number_of(parts[1]),
                             parts[2].cast<std::vector<long>>()};
    });
  }
  bool has_mgf() const override { return has_mgf_; }
  Complex mgf(const Complex& z) const override {
    return asked(name_ + ".mgf", [&] {
      const py::object given = (*object_).attr("mgf")(z);
      if (py::isinstance<Complex>(given)) return given.cast<Complex>();
      return complex(enclosure_of(given));
    });
  }
  std::optional<Real> mgf_beyond(const Interval& t, const Interval& s) const override {
    return asked(name_ + ".mgf_beyond", [&]() -> std::optional<Real> {
      const py::object given = (*object_).attr("mgf_beyond")(t, s);
      if (given.is_none()) return std::nullopt;
      return enclosure_of(given).upper;
    });
  }

 private:
  template <class... Arguments>
  Interval enclosure(const char* method, const Arguments&... arguments) const {
    return asked(name_ + '.' + method,
                 [&] { return enclosure_of((*object_).attr(method)(arguments...)); });
  }
  template <class... Arguments>
  std::optional<Interval> optional(const char* method, const Arguments&... arguments) const {
    return asked(name_ + '.' + method, [&]() -> std::optional<Interval> {
      const py::object given = (*object_).attr(method)(arguments...);
      if (given.is_none()) return std::nullopt;
      return enclosure_of(given);
    });
  }
  std::optional<Number> exact(const char* method) const {
    return asked(name_ + '.' + method, [&]() -> std::optional<Number> {
      const py::object given = (*object_).attr(method)();
      if (given.is_none()) return std::nullopt;
      return number_of(given);
    });
  }

  std::string name_;
  bool has_mgf_;
  Held object_;
};

extend::Domain domain_of(const std::string& word) {
  if (word == "number") return extend::Domain::number;
  if (word == "positive") return extend::Domain::positive;
  if (word == "probability") return extend::Domain::probability;
  if (word == "count") return extend::Domain::count;
  throw std::invalid_argument("a parameter is a number, positive, a probability or a count, not " +
                              word);
}

/// A subclass of plaudit.Mechanism: its texts and parameters are read once, its laws when needed.
class PythonMechanism final : public extend::Mechanism {
 public:
  explicit PythonMechanism(const py::object& object)
      : name_(text(object, "name")),
        summary_(text(object, "summary")),
        theorem_(text(object, "theorem")),
        example_(text(object, "example")),
        attained_(text(object, "attained")),
        object_(object) {
    for (const py::handle each : object.attr("_parameters")()) {
      const auto one = each.cast<py::sequence>();
      parameters_.push_back({one[0].cast<std::string>(), domain_of(one[1].cast<std::string>()),
                             one[2].cast<std::string>()});
    }
  }

  std::string name() const override { return name_; }
  std::string summary() const override { return summary_; }
  std::string theorem() const override { return theorem_; }
  std::vector<extend::Parameter> parameters() const override { return parameters_; }
  std::string example() const override { return example_; }
  Adjacency adjacency(const extend::Arguments& arguments) const override {
    return asked(name_, [&] {
      const auto given = (*object_).attr("_adjacency")(values(arguments)).cast<py::sequence>();
      return Adjacency{given[0].cast<std::string>(), given[1].cast<std::uint64_t>(),
                       given[2].cast<bool>()};
    });
  }
  std::string attained(const extend::Arguments&) const override { return attained_; }
  extend::Laws laws(const extend::Arguments& arguments) const override {
    return asked(name_, [&] {
      const auto given = (*object_).attr("_laws")(values(arguments)).cast<py::sequence>();
      const auto law = [&](const py::object& one) -> std::shared_ptr<const extend::Law> {
        if (one.is_none()) return nullptr;
        return std::make_shared<PythonLaw>(name_, one);
      };
      return extend::Laws{law(given[0]), law(given[1])};
    });
  }

 private:
  static std::string text(const py::object& object, const char* name) {
    return object.attr(name).cast<std::string>();
  }
  py::dict values(const extend::Arguments& arguments) const {
    py::dict result;
    for (const extend::Parameter& each : parameters_) {
      result[py::str(each.name)] = fraction_of(arguments[each.name]);
    }
    return result;
  }

  std::string name_;
  std::string summary_;
  std::string theorem_;
  std::string example_;
  std::string attained_;
  std::vector<extend::Parameter> parameters_;
  Held object_;
};

extend::ClaimKind claim_of(const std::string& word) {
  if (word == "band") return extend::ClaimKind::band;
  if (word == "upper") return extend::ClaimKind::upper;
  if (word == "lower") return extend::ClaimKind::lower;
  if (word == "estimate") return extend::ClaimKind::estimate;
  throw std::invalid_argument("claim: must be band, upper, lower or estimate, not " + word);
}

class PythonAccountant final : public extend::Accountant {
 public:
  explicit PythonAccountant(const py::object& object)
      : name_(object.attr("name").cast<std::string>()),
        summary_(object.attr("summary").cast<std::string>()),
        theorem_(object.attr("theorem").cast<std::string>()),
        claim_(claim_of(object.attr("claim").cast<std::string>())),
        object_(object) {}

  std::string name() const override { return name_; }
  std::string summary() const override { return summary_; }
  std::string theorem() const override { return theorem_; }
  extend::ClaimKind claim() const override { return claim_; }
  std::optional<std::string> refusal(const Composition& run, Direction direction) const override {
    return asked(name_ + ".refusal", [&]() -> std::optional<std::string> {
      const py::object given = (*object_).attr("_refusal")(run, name_of(direction));
      if (given.is_none()) return std::nullopt;
      return py::str(given).cast<std::string>();
    });
  }
  Interval epsilon(const Composition& run, Direction direction,
                   const Number& delta) const override {
    return answer("epsilon", "_epsilon", run, direction, delta);
  }
  Interval delta(const Composition& run, Direction direction,
                 const Number& epsilon) const override {
    return answer("delta", "_delta", run, direction, epsilon);
  }

 private:
  Interval answer(const char* shown, const char* method, const Composition& run,
                  Direction direction, const Number& at) const {
    return asked(name_ + '.' + shown, [&] {
      return enclosure_of((*object_).attr(method)(run, name_of(direction), at.text()));
    });
  }

  std::string name_;
  std::string summary_;
  std::string theorem_;
  extend::ClaimKind claim_;
  Held object_;
};

}  // namespace

void bind_extend(py::module_& module) {
  // Registration holds a lock of its own while it asks the object, so it must not hold Python's.
  module.def("add_mechanism", [](const py::object& mechanism) {
    const auto stated = std::make_shared<PythonMechanism>(mechanism);
    const Call call;
    extend::add(stated);
  });
  module.def("add_accountant", [](const py::object& accountant) {
    const auto stated = std::make_shared<PythonAccountant>(accountant);
    const Call call;
    extend::add(stated);
  });
  module.def(
      "trust", [](const std::string& name) { extend::trust(name); }, py::arg("name"),
      "From now on what an accountant of your own claims narrows bands, which then say so.\n\n"
      "Parameters\n----------\n"
      "name : str\n"
      "    Of an accountant that was registered, with any claim but \"estimate\".\n",
      Released());
}

}  // namespace plaudit::python
