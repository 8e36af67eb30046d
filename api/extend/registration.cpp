// Registration of the mechanisms and accountants of others: by calls, or from a shared object.
#include <dlfcn.h>

#include <algorithm>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "accountants/registry.hpp"
#include "api/extend/plugins.hpp"
#include "api/extend/stated_accountant.hpp"
#include "api/extend/stated_mechanism.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit::inline v0::extend {

namespace {

/// Mechanisms and accountants that register_all() adds together, or none of them.
class Batch final : public Registry {
 public:
  void add(std::shared_ptr<const Mechanism> mechanism) override {
    mechanisms_.push_back(std::move(mechanism));
  }
  void add(std::shared_ptr<const Accountant> accountant) override {
    accountants_.push_back(std::move(accountant));
  }

  void register_all() const {
    static std::mutex one_at_a_time;
    const std::lock_guard<std::mutex> lock(one_at_a_time);
    std::vector<std::shared_ptr<const MechanismKind>> kinds;
    std::vector<std::shared_ptr<const plaudit::Accountant>> accountants;
    std::vector<std::string_view> names;
    const auto take = [&names](std::string_view what, std::string_view name, bool is_free) {
      const bool twice = std::find(names.begin(), names.end(), name) != names.end();
      if (!is_free || twice) {
        throw SpecError("plug-in: the name of the " + std::string(what) + ' ' + std::string(name) +
                        " is taken");
      }
      names.push_back(name);
    };
    for (const auto& mechanism : mechanisms_) {
      if (!mechanism) throw SpecError("plug-in: a null mechanism");
      kinds.push_back(stated_kind(mechanism));
      take("mechanism", kinds.back()->name, is_free_mechanism_name(kinds.back()->name));
    }
    for (const auto& accountant : accountants_) {
      if (!accountant) throw SpecError("plug-in: a null accountant");
      accountants.push_back(stated_accountant(accountant));
      take("accountant", accountants.back()->name(),
           is_free_accountant_name(accountants.back()->name()));
    }
    for (const auto& kind : kinds) add_mechanism_kind(kind);
    for (const auto& accountant : accountants) add_accountant(accountant);
  }

  bool empty() const { return mechanisms_.empty() && accountants_.empty(); }

 private:
  std::vector<std::shared_ptr<const Mechanism>> mechanisms_;
  std::vector<std::shared_ptr<const Accountant>> accountants_;
};

template <class Function>
Function* entry(void* object, const std::string& file, const char* name) {
  void* const found = dlsym(object, name);
  if (found == nullptr) {
    throw SpecError(file + " is no plug-in of plaudit: it has no entry point " + name +
                    " (PLAUDIT_PLUGIN of plaudit/extend.hpp)");
  }
  return reinterpret_cast<Function*>(found);
}

}  // namespace

void add(std::shared_ptr<const Mechanism> mechanism) {
  Batch batch;
  batch.add(std::move(mechanism));
  batch.register_all();
}

void add(std::shared_ptr<const Accountant> accountant) {
  Batch batch;
  batch.add(std::move(accountant));
  batch.register_all();
}

void trust(const std::string& name) {
  const auto known = plaudit::accountant(name);
  if (!known->claim()) throw SpecError("trust: " + name + " is no accountant of a plug-in");
  if (*known->claim() == ClaimForm::estimate) {
    throw SpecError("trust: " + name + " gives estimates, which claim nothing");
  }
  trust_accountant(name);
}

void load_plugin(const std::string& file) {
  const std::string shown = "plug-in " + abbreviated(file, 200);
  // A name without a slash would be looked for where the system's libraries are.
  const std::string path = file.find('/') == std::string::npos ? "./" + file : file;
  void* const object = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (object == nullptr) {
    const char* const reason = dlerror();
    throw SpecError(shown + ": cannot be loaded: " + (reason == nullptr ? "no reason" : reason));
  }
  // Nothing else of the object may be called before its version is known to be this one.
  const std::string version = entry<const char*()>(object, shown, "plaudit_plugin_version")();
  if (version != PLAUDIT_PLUGIN_VERSION) {
    throw SpecError(shown + ": made for \"" + abbreviated(version, 100) + "\", but this is \"" +
                    PLAUDIT_PLUGIN_VERSION + "\"; build it again");
  }
  Batch batch;
  try {
    entry<void(Registry&)>(object, shown, "plaudit_plugin_add")(batch);
    if (batch.empty()) throw SpecError("it adds nothing");
    batch.register_all();
  } catch (const std::exception& error) {
    throw SpecError(shown + ": " + error.what());
  }
}

}  // namespace plaudit::inline v0::extend

namespace plaudit::plugins {

void load(const std::string& file) { v0::extend::load_plugin(file); }
void trust(const std::string& accountant) { v0::extend::trust(accountant); }

}  // namespace plaudit::plugins
