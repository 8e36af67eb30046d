// Compositions, bands, sessions, curves and the law of the privacy loss.
#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <plaudit/best_tests.hpp>
#include <plaudit/catalogue.hpp>
#include <utility>

#include "calls.hpp"
#include "numbers.hpp"

namespace plaudit::python {

namespace {

py::tuple state_of(const Band& band) {
  py::list directions;
  for (const Band::OneDirection& one : band.directions()) {
    directions.append(py::make_tuple(name_of(one.direction), bits_of(one.lower), bits_of(one.upper),
                                     one.accountant));
  }
  py::list errors;
  for (const Band::Error& error : band.errors()) {
    errors.append(py::make_tuple(error.name, error.theorem, bits_of(error.size)));
  }
  const Band::Attainment& of = band.attainment();
  const auto end = [](const std::optional<Real>& x) {
    return x ? py::object(py::cast(bits_of(*x))) : py::object(py::none());
  };
  return py::make_tuple(bits_of(band.lower()), bits_of(band.upper()), band.certified(),
                        band.reached(), band.accountant(), band.method(), band.remark(), directions,
                        errors, band.seconds(), of.mechanism, of.attained, of.why, of.attack,
                        end(of.attack_lower), end(of.attack_upper), band.stopped_by(),
                        band.digits(), band.trusted());
}

Band band_of(const py::tuple& state) {
  if (state.size() != 19) throw std::invalid_argument("not a band that plaudit wrote");
  const auto text = [](const py::handle& from) { return from.cast<std::string>(); };
  Band::Data data{
      real_of(text(state[0])),
      real_of(text(state[1])),
      state[2].cast<bool>(),
      state[3].cast<bool>(),
      text(state[4]),
      text(state[5]),
      text(state[6]),
      {},
      {},
      state[9].cast<double>(),
      {state[10].cast<bool>(), text(state[11]), text(state[12]), text(state[13]), {}, {}}};
  data.stopped_by = text(state[16]);
  data.digits = state[17].cast<int>();
  data.trusted = text(state[18]);
  if (!state[14].is_none()) data.attainment.attack_lower = real_of(text(state[14]));
  if (!state[15].is_none()) data.attainment.attack_upper = real_of(text(state[15]));
  for (const py::handle each : state[7].cast<py::list>()) {
    const auto one = each.cast<py::tuple>();
    data.directions.push_back(
        {direction_of(text(one[0])), real_of(text(one[1])), real_of(text(one[2])), text(one[3])});
  }
  for (const py::handle each : state[8].cast<py::list>()) {
    const auto one = each.cast<py::tuple>();
    data.errors.push_back({text(one[0]), text(one[1]), real_of(text(one[2]))});
  }
  return Band(std::move(data));
}

/// @param digits nothing where nobody asks for them.
Options options_of(std::optional<int> digits, const std::string& accountant,
                   const std::string& direction, Seconds timeout, int threads, std::size_t memory) {
  return {digits ? Digits(*digits) : Digits(),
          accountant,
          choice_of(direction),
          timeout,
          threads,
          memory};
}

/// A session that Python's threads may share: they take turns.
class SharedSession {
 public:
  explicit SharedSession(Session session) : session_(std::move(session)) {}

  Band epsilon(const std::string& delta) {
    const Turns::Turn turn(turns_);
    return session_.epsilon(delta);
  }
  Band delta(const std::string& epsilon) {
    const Turns::Turn turn(turns_);
    return session_.delta(epsilon);
  }

 private:
  Turns turns_;
  Session session_;
};

/// Rates of tests that Python's threads may share: they take turns.
class SharedTests {
 public:
  explicit SharedTests(BestTests tests) : tests_(std::move(tests)) {}

  Band false_negative_rate(const std::string& fpr) {
    const Turns::Turn turn(turns_);
    return tests_.false_negative_rate(fpr);
  }
  Band true_positive_rate(const std::string& fpr) {
    const Turns::Turn turn(turns_);
    return tests_.true_positive_rate(fpr);
  }
  Band advantage() {
    const Turns::Turn turn(turns_);
    return tests_.advantage();
  }
  Band success(const std::string& prior) {
    const Turns::Turn turn(turns_);
    return tests_.success(prior);
  }
  Band predictive_value(const std::string& prior, const std::string& fpr) {
    const Turns::Turn turn(turns_);
    return tests_.predictive_value(prior, fpr);
  }

 private:
  Turns turns_;
  BestTests tests_;
};

void bind_tests(py::module_& module) {
  py::class_<SharedTests>(module, "BestTests")
      .def(py::init([](const Composition& composition, int digits, const std::string& direction,
                       Seconds timeout, std::size_t memory) {
             const Call call;
             return std::make_unique<SharedTests>(
                 BestTests(composition, options_of(digits, "auto", direction, timeout, 1, memory)));
           }),
           py::arg("composition"), py::arg("digits"), py::arg("direction"), py::arg("timeout"),
           py::arg("memory"))
      .def("false_negative_rate", &SharedTests::false_negative_rate, Released())
      .def("true_positive_rate", &SharedTests::true_positive_rate, Released())
      .def("advantage", &SharedTests::advantage, Released())
      .def("success", &SharedTests::success, Released())
      .def("predictive_value", &SharedTests::predictive_value, Released());
  py::class_<GaussianMu>(module, "GaussianMu")
      .def_property_readonly("lower", [](const GaussianMu& x) { return below(x.lower); })
      .def_property_readonly("upper", [](const GaussianMu& x) { return above(x.upper); })
      .def_property_readonly("regret", [](const GaussianMu& x) { return above(x.regret); })
      .def_readonly("exact_square", &GaussianMu::exact_square)
      .def_readonly("reached", &GaussianMu::reached)
      .def_readonly("remark", &GaussianMu::remark);
  module.def(
      "gaussian_mu",
      [](const Composition& composition, const std::optional<std::string>& least_error, int digits,
         const std::string& direction, Seconds timeout, std::size_t memory) {
        return gaussian_mu(composition,
                           least_error ? std::optional<Number>(Number(*least_error)) : std::nullopt,
                           options_of(digits, "auto", direction, timeout, 1, memory));
      },
      Released());
}

void bind_bands(py::module_& module) {
  py::class_<Band::OneDirection>(module, "DirectionBand")
      .def_property_readonly("direction",
                             [](const Band::OneDirection& x) { return name_of(x.direction); })
      .def_property_readonly("lower", [](const Band::OneDirection& x) { return below(x.lower); })
      .def_property_readonly("upper", [](const Band::OneDirection& x) { return above(x.upper); })
      .def_readonly("accountant", &Band::OneDirection::accountant)
      .def(
          "lower_decimal",
          [](const Band::OneDirection& x, int digits) {
            return Band({x.lower, x.lower, true, true, {}, {}, {}, {}, {}, 0})
                .lower_decimal(digits);
          },
          py::arg("digits") = 17)
      .def(
          "upper_decimal",
          [](const Band::OneDirection& x, int digits) {
            return Band({x.upper, x.upper, true, true, {}, {}, {}, {}, {}, 0})
                .upper_decimal(digits);
          },
          py::arg("digits") = 17);
  py::class_<Band::Error>(module, "ErrorTerm")
      .def_readonly("name", &Band::Error::name)
      .def_readonly("theorem", &Band::Error::theorem)
      .def_property_readonly("size", [](const Band::Error& x) { return above(x.size); });
  py::class_<Band>(module, "Band")
      .def_property_readonly("lower", [](const Band& x) { return below(x.lower()); })
      .def_property_readonly("upper", [](const Band& x) { return above(x.upper()); })
      .def_property_readonly("found_here", [](const Band& x) { return x.source() != nullptr; })
      .def("lower_decimal", &Band::lower_decimal, py::arg("digits") = 17)
      .def("upper_decimal", &Band::upper_decimal, py::arg("digits") = 17)
      .def_property_readonly("certified", &Band::certified)
      .def_property_readonly("trusted", &Band::trusted)
      .def_property_readonly("reached", &Band::reached)
      .def_property_readonly("digits", &Band::digits)
      .def_property_readonly("accountant", &Band::accountant)
      .def_property_readonly("method", &Band::method)
      .def_property_readonly("remark", &Band::remark)
      .def_property_readonly("stopped_by", &Band::stopped_by)
      .def_property_readonly("directions", &Band::directions)
      .def_property_readonly("errors", &Band::errors)
      .def_property_readonly("seconds", &Band::seconds)
      .def_property_readonly("of_mechanism", [](const Band& x) { return x.attainment().mechanism; })
      .def_property_readonly("attained", [](const Band& x) { return x.attainment().attained; })
      .def_property_readonly("attained_why", [](const Band& x) { return x.attainment().why; })
      .def_property_readonly("attack", [](const Band& x) { return x.attainment().attack; })
      .def_property_readonly("attack_lower",
                             [](const Band& x) -> std::optional<double> {
                               const auto& end = x.attainment().attack_lower;
                               return end ? std::optional(below(*end)) : std::nullopt;
                             })
      .def_property_readonly("attack_upper",
                             [](const Band& x) -> std::optional<double> {
                               const auto& end = x.attainment().attack_upper;
                               return end ? std::optional(above(*end)) : std::nullopt;
                             })
      .def(py::pickle(&state_of, &band_of));
}

void bind_loss(py::module_& module) {
  py::class_<PrivacyLoss::Atom>(module, "Atom")
      .def_readonly("loss", &PrivacyLoss::Atom::loss)
      .def_readonly("exact_loss", &PrivacyLoss::Atom::exact_loss)
      .def_readonly("p", &PrivacyLoss::Atom::p)
      .def_readonly("q", &PrivacyLoss::Atom::q);
  using At = Interval (PrivacyLoss::*)(const Number&, int) const;
  using Whole = Interval (PrivacyLoss::*)(int) const;
  const auto at = [](At function) {
    return [function](const PrivacyLoss& loss, const std::string& x, int digits) {
      return (loss.*function)(Number(x), digits);
    };
  };
  const auto whole = [](Whole function) {
    return [function](const PrivacyLoss& loss, int digits) { return (loss.*function)(digits); };
  };
  py::class_<PrivacyLoss>(module, "PrivacyLoss")
      .def(py::init([](const Composition& composition, const std::string& direction,
                       Seconds timeout, std::size_t memory) {
             const Call call;
             return PrivacyLoss(composition, direction_of(direction), {timeout, memory});
           }),
           py::arg("composition"), py::arg("direction"), py::arg("timeout"), py::arg("memory"))
      .def("log_mgf", at(&PrivacyLoss::log_mgf), Released())
      .def("p_above", at(&PrivacyLoss::p_above), Released())
      .def("q_above", at(&PrivacyLoss::q_above), Released())
      .def("p_atom", at(&PrivacyLoss::p_atom), Released())
      .def("quantile", at(&PrivacyLoss::quantile), Released())
      .def("delta", at(&PrivacyLoss::delta), Released())
      .def(
          "density",
          [](const PrivacyLoss& loss, const std::string& x, int digits) {
            return loss.density(Number(x), digits);
          },
          Released())
      .def("mass_at_infinity", whole(&PrivacyLoss::mass_at_infinity), Released())
      .def("least_loss", whole(&PrivacyLoss::least_loss), Released())
      .def("greatest_loss", whole(&PrivacyLoss::greatest_loss), Released())
      .def(
          "atoms", [](const PrivacyLoss& loss, int digits) { return loss.atoms(digits); },
          Released())
      .def(
          "atoms_between",
          [](const PrivacyLoss& loss, const std::string& from, const std::string& to, int digits) {
            return loss.atoms(Number(from), Number(to), digits);
          },
          Released())
      .def("describe", &PrivacyLoss::describe, Released());
}

namespace {

py::list dictionaries_of(const std::vector<MechanismEntry>& entries) {
  py::list result;
  for (const MechanismEntry& each : entries) {
    py::list parameters;
    for (const ParameterEntry& one : each.parameters) {
      parameters.append(py::dict(py::arg("name") = one.name, py::arg("domain") = one.domain,
                                 py::arg("default") = one.fallback,
                                 py::arg("aliases") = one.aliases));
    }
    result.append(py::dict(py::arg("name") = each.name, py::arg("signature") = each.signature,
                           py::arg("summary") = each.summary, py::arg("parameters") = parameters,
                           py::arg("adjacency") = each.adjacency, py::arg("theorem") = each.theorem,
                           py::arg("example") = each.example));
  }
  return result;
}

}  // namespace

void bind_catalogue(py::module_& module) {
  module.def(
      "list_mechanisms", [] { return dictionaries_of(list_mechanisms()); },
      "The mechanisms of the spec language.\n\n"
      "Returns\n-------\n"
      "list of dict\n"
      "    name, signature, summary, parameters, adjacency, theorem, example.\n");
  module.def(
      "list_shorthands", [] { return dictionaries_of(list_shorthands()); },
      "Names of the spec language that stand for compositions of its mechanisms.\n\n"
      "Returns\n-------\n"
      "list of dict\n"
      "    As those of list_mechanisms().\n");
  module.def(
      "list_accountants",
      [] {
        py::list result;
        for (const AccountantEntry& each : list_accountants()) {
          py::list settings;
          for (const ParameterEntry& one : each.settings) {
            settings.append(py::dict(py::arg("name") = one.name, py::arg("domain") = one.domain,
                                     py::arg("default") = one.fallback));
          }
          result.append(py::dict(py::arg("name") = each.name, py::arg("summary") = each.summary,
                                 py::arg("settings") = settings, py::arg("theorem") = each.theorem,
                                 py::arg("certified") = each.certified));
        }
        return result;
      },
      "The accountants that may be asked for by name.\n\n"
      "Returns\n-------\n"
      "list of dict\n"
      "    name, summary, settings, theorem, certified.\n");
}

/// The arguments as triples of name, kind and value: the text of a number, a word or the spec of a
/// mechanism, or the texts of a list or of a list of lists.
py::list arguments_of(const Composition& mechanism) {
  using Kind = extend::Argument::Kind;
  py::list result;
  for (const extend::Argument& each : extend::arguments(mechanism)) {
    const auto add = [&](const char* kind, const py::object& value) {
      result.append(py::make_tuple(each.name, kind, value));
    };
    switch (each.kind) {
      case Kind::number:
        add("number", py::cast(each.text));
        break;
      case Kind::word:
        add("word", py::cast(each.text));
        break;
      case Kind::mechanism:
        add("mechanism", py::cast(each.text));
        break;
      case Kind::list:
        add("list", py::cast(each.list));
        break;
      case Kind::vectors:
        add("vectors", py::cast(each.vectors));
        break;
    }
  }
  return result;
}

void bind_compositions(py::module_& module) {
  py::class_<Composition>(module, "Composition")
      .def_property_readonly("spec", &Composition::spec)
      .def_property_readonly("stated", &Composition::stated)
      .def_property_readonly("symmetric", &Composition::symmetric)
      .def_property_readonly("adjacency",
                             [](const Composition& x) {
                               const Adjacency adjacency = x.adjacency();
                               return py::make_tuple(adjacency.kind, adjacency.group_size,
                                                     adjacency.guarantee);
                             })
      .def_property_readonly("steps",
                             [](const Composition& x) {
                               std::vector<std::pair<Composition, std::uint64_t>> result;
                               for (extend::Step& step : extend::steps(x)) {
                                 result.emplace_back(std::move(step.mechanism), step.count);
                               }
                               return result;
                             })
      .def_property_readonly("arguments", &arguments_of)
      .def("power", [](const Composition& x, std::uint64_t count) { return pow(x, count); });
  module.def("product", &product);
  module.def(
      "parse", [](const std::string& spec) { return parse(spec); }, Released());
}

/// Sessions, and questions without one.
void bind_sessions(py::module_& module) {
  py::class_<SharedSession>(module, "Session")
      .def(py::init([](const Composition& composition, int digits, const std::string& accountant,
                       const std::string& direction, Seconds timeout, int threads,
                       std::size_t memory) {
             const Call call;
             return std::make_unique<SharedSession>(Session(
                 composition, options_of(digits, accountant, direction, timeout, threads, memory)));
           }),
           py::arg("composition"), py::arg("digits"), py::arg("accountant"), py::arg("direction"),
           py::arg("timeout"), py::arg("threads"), py::arg("memory"))
      .def("epsilon", &SharedSession::epsilon, Released())
      .def("delta", &SharedSession::delta, Released());
  module.def(
      "epsilon",
      [](const Composition& composition, const std::string& delta, std::optional<int> digits,
         const std::string& accountant, const std::string& direction, Seconds timeout, int threads,
         std::size_t memory) {
        return epsilon(composition, delta,
                       options_of(digits, accountant, direction, timeout, threads, memory));
      },
      Released());
  module.def(
      "delta",
      [](const Composition& composition, const std::string& epsilon, std::optional<int> digits,
         const std::string& accountant, const std::string& direction, Seconds timeout, int threads,
         std::size_t memory) {
        return delta(composition, epsilon,
                     options_of(digits, accountant, direction, timeout, threads, memory));
      },
      Released());
  module.def(
      "renyi",
      [](const Composition& composition, const std::string& order, int digits,
         const std::string& direction, Seconds timeout, std::size_t memory) {
        return renyi(composition, order, options_of(digits, "auto", direction, timeout, 1, memory));
      },
      Released());
}

}  // namespace

void bind_queries(py::module_& module) {
  bind_bands(module);
  bind_catalogue(module);
  bind_compositions(module);
  bind_sessions(module);
  bind_loss(module);
  bind_tests(module);
}

}  // namespace plaudit::python
