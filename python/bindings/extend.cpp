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
        has_mgf_(has(object, "mgf")),
        has_line_(has(object, "mgf_on_line")),
        tails_by_window_(object.attr("_tails_by_window")().cast<bool>()),
        object_(std::move(object)) {}

  Interval p_above(const Interval& x) const override {
    return tails_by_window_ ? Window(*this).p_above(x) : enclosure("p_above", x);
  }
  Interval q_above(const Interval& x) const override {
    return tails_by_window_ ? Window(*this).q_above(x) : enclosure("q_above", x);
  }
  Interval mass_at_infinity() const override { return enclosure("mass_at_infinity"); }
  Interval q_mass() const override { return enclosure("q_mass"); }
  Interval least_loss() const override {
    return optional("least_loss").value_or(extend::Law::least_loss());
  }
  Interval greatest_loss() const override {
    return optional("greatest_loss").value_or(extend::Law::greatest_loss());
  }
  std::optional<Number> exact_least_loss() const override { return exact("exact_least_loss"); }
  std::optional<Number> exact_greatest_loss() const override {
    return exact("exact_greatest_loss");
  }
  std::optional<Number> exact_mass_at_infinity() const override {
    return exact("exact_mass_at_infinity");
  }
  std::optional<Number> exact_q_mass() const override { return exact("exact_q_mass"); }
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
        if (is_rational(atom[0])) result.back().exact_loss = number_of(atom[0]);
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
  bool has_continuous_part() const override {
    return asked(name_ + ".has_continuous_part",
                 [&] { return (*object_).attr("has_continuous_part")().cast<bool>(); });
  }
  std::optional<extend::LatticeWindow> lattice_window() const override {
    return asked(name_ + ".lattice_window", [&]() -> std::optional<extend::LatticeWindow> {
      const py::object given = (*object_).attr("lattice_window")();
      if (given.is_none()) return std::nullopt;
      const auto parts = given.cast<py::sequence>();
      if (parts.size() != 6) {
        throw std::invalid_argument(
            "lattice_window: six parts are wanted: mesh, offset, first, masses, below and above");
      }
      extend::LatticeWindow window{number_of(parts[0]), number_of(parts[1]), parts[2].cast<long>()};
      for (const py::handle mass : parts[3]) window.p.push_back(enclosure_of(mass));
      window.below = enclosure_of(parts[4]);
      window.above = enclosure_of(parts[5]);
      return window;
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
  std::vector<Complex> mgf_on_line(const Interval& t, const Interval& step,
                                   std::size_t count) const override {
    if (!has_line_) return extend::Law::mgf_on_line(t, step, count);
    return asked(name_ + ".mgf_on_line", [&] {
      std::vector<Complex> values;
      for (const py::handle each : (*object_).attr("mgf_on_line")(t, step, count)) {
        values.push_back(py::isinstance<Complex>(each) ? each.cast<Complex>()
                                                       : complex(enclosure_of(each)));
      }
      return values;
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
  /// The tails that the masses on the lattice have.
  class Window final : public extend::LawOnLattice {
   public:
    explicit Window(const PythonLaw& law) : law_(law) {}
    extend::LatticeWindow window() const override {
      if (const auto found = law_.lattice_window()) return *found;
      throw std::invalid_argument(law_.name_ +
                                  ": lattice_window() is None, and there are no tails");
    }
    Interval mass_at_infinity() const override { return law_.mass_at_infinity(); }
    Interval q_mass() const override { return law_.q_mass(); }

   private:
    const PythonLaw& law_;
  };

  static bool has(const py::object& object, const char* method) {
    return py::hasattr(object, method) && !object.attr(method).is_none();
  }
  static bool is_rational(const py::handle& given) {
    return py::isinstance<py::int_>(given) ||
           py::isinstance(given, py::module_::import("fractions").attr("Fraction"));
  }

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
  bool has_line_;
  bool tails_by_window_;
  Held object_;
};

std::shared_ptr<const extend::Law> law_of_object(const std::string& name, const py::object& one) {
  if (one.is_none()) return nullptr;
  if (py::isinstance<extend::Law>(one)) return one.cast<std::shared_ptr<extend::Law>>();
  if (!py::hasattr(one, "_tails_by_window")) {
    throw std::invalid_argument(name + ": a law is a plaudit.Law or one of plaudit.extend.law_of");
  }
  return std::make_shared<PythonLaw>(name, one);
}

/// What Python holds has no const.
std::shared_ptr<extend::Law> held(const std::shared_ptr<const extend::Law>& law) {
  return std::const_pointer_cast<extend::Law>(law);
}

extend::Domain domain_of(const std::string& word) {
  if (word == "number") return extend::Domain::number;
  if (word == "positive") return extend::Domain::positive;
  if (word == "probability") return extend::Domain::probability;
  if (word == "count") return extend::Domain::count;
  if (word == "word") return extend::Domain::word;
  if (word == "text") return extend::Domain::text;
  if (word == "mechanism") return extend::Domain::mechanism;
  throw std::invalid_argument(
      "a parameter is a number, positive, a probability, a count, a list of words, a text or a "
      "mechanism, not " +
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
        object_(object) {
    for (const py::handle each : object.attr("_parameters")()) {
      const auto one = each.cast<py::sequence>();
      parameters_.push_back({one[0].cast<std::string>(), domain_of(one[1].cast<std::string>()),
                             one[2].cast<std::string>(), one[3].cast<std::vector<std::string>>()});
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
  std::string attained(const extend::Arguments& arguments) const override {
    return asked(
        name_, [&] { return (*object_).attr("_attained")(values(arguments)).cast<std::string>(); });
  }
  extend::Laws laws(const extend::Arguments& arguments) const override {
    return asked(name_, [&] {
      const auto given = (*object_).attr("_laws")(values(arguments)).cast<py::sequence>();
      return extend::Laws{law_of_object(name_, given[0]), law_of_object(name_, given[1])};
    });
  }

 private:
  static std::string text(const py::object& object, const char* name) {
    return object.attr(name).cast<std::string>();
  }
  py::dict values(const extend::Arguments& arguments) const {
    py::dict result;
    for (const extend::Parameter& each : parameters_) {
      result[py::str(each.name)] = value(arguments, each);
    }
    return result;
  }

  static py::object value(const extend::Arguments& arguments, const extend::Parameter& parameter) {
    switch (parameter.domain) {
      case extend::Domain::word:
      case extend::Domain::text:
        return py::str(arguments.text(parameter.name));
      case extend::Domain::mechanism:
        return py::cast(arguments.mechanism(parameter.name));
      default:
        return fraction_of(arguments[parameter.name]);
    }
  }

  std::string name_;
  std::string summary_;
  std::string theorem_;
  std::string example_;
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
  py::class_<extend::Law, std::shared_ptr<extend::Law>>(
      module, "KnownLaw",
      "The law of a mechanism in one direction, by `plaudit.extend.law_of` or `reversed_law`.")
      .def(
          "p_above",
          [](const extend::Law& law, const py::object& x) { return law.p_above(enclosure_of(x)); },
          py::arg("x"), "P(L > x) at a point, the mass at infinity included.")
      .def(
          "q_above",
          [](const extend::Law& law, const py::object& x) { return law.q_above(enclosure_of(x)); },
          py::arg("x"), "Q(L > x) at a point.")
      .def("mass_at_infinity", &extend::Law::mass_at_infinity, "P(L = infinity).")
      .def("q_mass", &extend::Law::q_mass, "Q(dP/dQ > 0).")
      .def("least_loss", &extend::Law::least_loss, "The lower end of the finite losses.")
      .def("greatest_loss", &extend::Law::greatest_loss, "The upper end of the finite losses.");
  module.def("law_of", [](const Composition& run, const std::string& direction) {
    return held(extend::law_of(run, direction_of(direction)));
  });
  module.def("reversed_law", [](const py::object& law) {
    const auto given = law_of_object("reversed_law", law);
    if (given == nullptr) throw std::invalid_argument("reversed_law: None is no law");
    return held(extend::reversed(given));
  });
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
