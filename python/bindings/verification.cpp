// Comparisons, audits, certificates and the cross-check.
#include <pybind11/stl.h>

#include <optional>
#include <plaudit/audit.hpp>
#include <plaudit/catalogue.hpp>
#include <plaudit/certificate.hpp>
#include <plaudit/crosscheck.hpp>

#include "calls.hpp"
#include "numbers.hpp"

namespace plaudit::python {

namespace {

void bind_comparison(py::module_& module) {
  py::class_<Comparison::Entry>(module, "ComparisonEntry")
      .def_readonly("accountant", &Comparison::Entry::accountant)
      .def_readonly("band", &Comparison::Entry::band)
      .def_readonly("verdict", &Comparison::Entry::verdict);
  py::class_<Comparison>(module, "Comparison")
      .def_readonly("entries", &Comparison::entries)
      .def_readonly("contradiction", &Comparison::contradiction)
      .def_readonly("refuted", &Comparison::refuted);
  const auto define = [&module](const char* name, auto* compare) {
    module.def(
        name,
        [compare](const Composition& composition, const std::string& argument, int digits,
                  const std::string& direction, Seconds timeout, int threads, std::size_t memory,
                  const std::vector<std::string>& accountants, const py::object& tell) {
          Teller teller(tell);
          return compare(
              composition, argument,
              {digits, choice_of(direction), timeout, threads, memory, accountants, teller.told()});
        },
        Released());
  };
  define("compare_epsilon", &compare_epsilon);
  define("compare_delta", &compare_delta);
}

py::dict dict_of(const Witness& w) {
  return py::dict(py::arg("direction") = w.direction, py::arg("epsilon") = w.epsilon,
                  py::arg("delta_lower") = w.delta_lower, py::arg("delta_upper") = w.delta_upper,
                  py::arg("claimed_delta") = w.claimed_delta, py::arg("event") = w.event,
                  py::arg("output_event") = w.output_event,
                  py::arg("output_delta_lower") = w.output_delta_lower,
                  py::arg("attack") = w.attack);
}

void bind_audit(py::module_& module) {
  py::class_<Finding>(module, "Finding")
      .def_readonly("id", &Finding::id)
      .def_readonly("spec", &Finding::spec)
      .def_property_readonly("verdict", [](const Finding& x) { return name_of(x.verdict); })
      .def_readonly("reason", &Finding::reason)
      .def_readonly("lower", &Finding::lower)
      .def_readonly("upper", &Finding::upper)
      .def_readonly("gap_epsilon", &Finding::gap_epsilon)
      .def_readonly("gap_delta", &Finding::gap_delta)
      .def_readonly("gap", &Finding::gap)
      .def_readonly("relative_gap", &Finding::relative_gap)
      .def_readonly("direction", &Finding::direction)
      .def_property_readonly("witness",
                             [](const Finding& x) -> py::object {
                               if (!x.witness) return py::none();
                               return dict_of(*x.witness);
                             })
      .def_readonly("digits", &Finding::digits)
      .def_readonly("seconds", &Finding::seconds);
  py::class_<Audit>(module, "Audit")
      .def_readonly("findings", &Audit::findings)
      .def_readonly("valid", &Audit::valid)
      .def_readonly("tight", &Audit::tight)
      .def_readonly("refuted", &Audit::refuted)
      .def_readonly("undecided", &Audit::undecided)
      .def_readonly("errors", &Audit::errors)
      .def("markdown", &Audit::markdown, Released())
      .def(
          "html",
          [](const Audit& x, const std::string& pictures, const std::string& date,
             const std::vector<std::string>& certificates) {
            return x.html({pictures, date, certificates});
          },
          Released());
  const auto define = [&module](const char* name, auto* audit) {
    module.def(
        name,
        [audit](const std::string& text, int threads, Seconds timeout, int most_digits,
                bool read_files, const py::object& tell) {
          Teller teller(tell);
          return audit(text, {threads, timeout, most_digits, read_files, teller.told()});
        },
        Released());
  };
  define("audit_json", &audit_json);
  define("audit_csv", &audit_csv);
}

void bind_certificates(py::module_& module) {
  py::class_<CertificateCheck>(module, "CertificateCheck")
      .def_readonly("accepted", &CertificateCheck::accepted)
      .def_readonly("reason", &CertificateCheck::reason)
      .def_readonly("spec", &CertificateCheck::spec)
      .def_readonly("laws", &CertificateCheck::laws)
      .def_readonly("adjacency", &CertificateCheck::adjacency)
      .def_readonly("claim", &CertificateCheck::claim)
      .def_readonly("statements", &CertificateCheck::statements)
      .def_readonly("assumptions", &CertificateCheck::assumptions)
      .def("__bool__", [](const CertificateCheck& x) { return x.accepted; });
  py::class_<Certificate>(module, "Certificate")
      .def_readonly("text", &Certificate::text)
      .def_readonly("remark", &Certificate::remark)
      .def_readonly("band", &Certificate::band);
  module.def(
      "certify", [](const Band& band, Seconds timeout) { return certify(band, timeout); },
      Released());
  module.def(
      "certify_epsilon",
      [](const Composition& composition, const std::string& delta, std::optional<int> digits,
         const std::string& accountant, const std::string& direction, Seconds timeout,
         std::size_t memory) {
        return certify_epsilon(composition, delta,
                               {digits ? Digits(*digits) : Digits(), accountant,
                                choice_of(direction), timeout, 1, memory});
      },
      Released());
  module.def(
      "certify_delta",
      [](const Composition& composition, const std::string& epsilon, std::optional<int> digits,
         const std::string& accountant, const std::string& direction, Seconds timeout,
         std::size_t memory) {
        return certify_delta(composition, epsilon,
                             {digits ? Digits(*digits) : Digits(), accountant, choice_of(direction),
                              timeout, 1, memory});
      },
      Released());
  module.def(
      "check_certificate",
      [](const std::string& text, Seconds timeout) { return check_certificate(text, timeout); },
      py::arg("text"), py::arg("timeout") = 600.0,
      "Whether a certificate proves its claim, as `plaudit check` finds it.\n\n"
      "Parameters\n----------\n"
      "text : str\n"
      "    JSON, as `Band.certificate` gives it.\n"
      "timeout : float or None\n"
      "    Seconds.\n\n"
      "Returns\n-------\n"
      "CertificateCheck\n"
      "    True where it is accepted; `reason` says why not, `claim` what is claimed.\n",
      Released());
}

void bind_cross_check(py::module_& module) {
  py::class_<CrossCheckReport>(module, "CrossCheckReport")
      .def_readonly("checks", &CrossCheckReport::checks)
      .def_readonly("comparisons", &CrossCheckReport::comparisons)
      .def_readonly("given_up", &CrossCheckReport::given_up)
      .def_readonly("defects", &CrossCheckReport::defects);
  module.def(
      "cross_check",
      [](std::size_t count, std::uint64_t seed, int threads, Seconds seconds_each,
         const py::object& tell) {
        Teller teller(tell);
        return cross_check({count, seed, threads, seconds_each, teller.told()});
      },
      Released());
}

}  // namespace

void bind_verification(py::module_& module) {
  bind_comparison(module);
  bind_audit(module);
  bind_certificates(module);
  bind_cross_check(module);
}

}  // namespace plaudit::python
