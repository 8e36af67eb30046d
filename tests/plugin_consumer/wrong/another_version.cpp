// Made for another version: nothing of it may be called but this.
#include <cstdlib>

extern "C" const char* plaudit_plugin_version() { return "plaudit plug-in 0, Boost 1_66"; }
extern "C" void plaudit_plugin_add(void*) { std::abort(); }
