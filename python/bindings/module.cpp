// The module plaudit._core: the C++ interface for the Python package plaudit, which wraps it.
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "calls.hpp"
#include "numbers.hpp"

namespace py = pybind11;

namespace {

/// The exceptions of the package, kept for as long as the interpreter lives.
PyObject* new_exception(py::module_& module, const char* name, PyObject* base, const char* words) {
  PyObject* const type =
      PyErr_NewExceptionWithDoc((std::string("plaudit.") + name).c_str(), words, base, nullptr);
  if (type == nullptr) throw py::error_already_set();
  module.attr(name) = py::reinterpret_borrow<py::object>(type);
  return type;
}

PyObject* spec_error = nullptr;
PyObject* not_applicable = nullptr;
PyObject* plugin_error = nullptr;
PyObject* halted = nullptr;

/// Objects print as their class with the fields that say what they are.
void show(const py::module_& module, const char* name, const std::vector<const char*>& fields) {
  const py::object cls = module.attr(name);
  cls.attr("__repr__") = py::cpp_function(
      [name, fields](const py::object& self) {
        std::string text = std::string(name) + '(';
        for (const char* field : fields) {
          if (field != fields.front()) text += ", ";
          text += std::string(field) + '=' + py::repr(self.attr(field)).cast<std::string>();
        }
        return text + ')';
      },
      py::is_method(cls));
}

void show_all(const py::module_& module) {
  show(module, "Band", {"lower", "upper", "certified", "accountant"});
  show(module, "DirectionBand", {"direction", "lower", "upper", "accountant"});
  show(module, "ErrorTerm", {"name", "size", "theorem"});
  show(module, "Atom", {"loss", "p", "q"});
  show(module, "Complex", {"real", "imaginary"});
  show(module, "ComparisonEntry", {"accountant", "band", "verdict"});
  show(module, "Finding", {"id", "verdict", "spec", "lower", "upper", "reason"});
  show(module, "CertificateCheck", {"accepted", "spec", "claim", "reason"});
  show(module, "CrossCheckReport", {"checks", "comparisons", "given_up", "defects"});
  show(module, "Requests", {});
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  module.doc() = "The C++ interface of plaudit. Use the package plaudit around it.";
  module.attr("version") = PLAUDIT_VERSION;
  spec_error = new_exception(module, "SpecError", PyExc_ValueError,
                             "A spec, a parameter or an option that is wrong: one line that names "
                             "it and what it may be.");
  not_applicable = new_exception(module, "NotApplicable", spec_error,
                                 "The accountant that was asked for does not apply, and why.");
  plugin_error = new_exception(module, "PluginError", spec_error,
                               "A law or an accountant that was registered broke what it "
                               "promises: it failed, its law is none, or its answer is no band.");
  halted = new_exception(module, "Halted", PyExc_Exception,
                         "The caller was interrupted, for whom this thread or process works.");
  // NOLINTNEXTLINE(performance-unnecessary-value-param): the type that pybind11 asks for
  py::register_exception_translator([](std::exception_ptr problem) {
    try {
      if (problem) std::rethrow_exception(problem);
    } catch (const plaudit::python::Raised& raised) {
      if (raised.error) {
        raised.error->restore();
      } else {
        PyErr_SetNone(halted);
      }
    } catch (const plaudit::PluginError& error) {
      PyErr_SetString(plugin_error, error.what());
    } catch (const plaudit::NotApplicable& error) {
      PyErr_SetString(not_applicable, error.what());
    } catch (const std::invalid_argument& error) {
      PyErr_SetString(spec_error, error.what());
    }
  });
  py::class_<plaudit::python::Stop, std::shared_ptr<plaudit::python::Stop>>(module, "Stop")
      .def(py::init<>())
      .def("set", &plaudit::python::Stop::set)
      .def("is_set", &plaudit::python::Stop::is_set);
  module.def("stand_by", &plaudit::python::Stop::stand_by, py::arg("stop").none(true));
  plaudit::python::bind_queries(module);
  plaudit::python::bind_verification(module);
  plaudit::python::bind_calibration(module);
  plaudit::python::bind_observations(module);
  plaudit::python::bind_intervals(module);
  plaudit::python::bind_extend(module);
  show_all(module);
}
