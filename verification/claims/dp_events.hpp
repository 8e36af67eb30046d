// dp_accounting's DpEvents, as a spec. docs/audit.md has each event and what it becomes.
#pragma once

#include "verification/claims/importers.hpp"

namespace plaudit {

/// An event as JSON: an object of its fields and its class name under "class_name" (as
/// DpEvent.to_named_tuple() has it, with "module_name"), "type", "class" or "__class__"; or what
/// json.dumps makes of such a tuple, a list of module name, class name and fields. @throws
/// InputError naming the event that has no proven counterpart
ImportedSpec dp_event_spec(const Json& event);

}  // namespace plaudit
