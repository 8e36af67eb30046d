# FLINT::FLINT, which includes Arb and defines
#   PLAUDIT_FLINT3=1   FLINT 3 or later: Arb is part of FLINT, its header is <flint/arb.h>
#   PLAUDIT_FLINT3=0   FLINT 2 with Arb as a library of its own, its header is <arb.h>
find_package(MPFR QUIET)
find_path(FLINT_INCLUDE_DIR flint/flint.h)
find_library(FLINT_LIBRARY flint)
mark_as_advanced(FLINT_INCLUDE_DIR FLINT_LIBRARY)

unset(FLINT_VERSION)
if(FLINT_INCLUDE_DIR)
  file(STRINGS "${FLINT_INCLUDE_DIR}/flint/flint.h" _flint_lines
    REGEX "^#[ \t]*define[ \t]+__FLINT_VERSION(_MINOR|_PATCHLEVEL)?[ \t]+[0-9]+")
  foreach(_flint_part "" _MINOR _PATCHLEVEL)
    if("${_flint_lines}" MATCHES "__FLINT_VERSION${_flint_part}[ \t]+([0-9]+)")
      list(APPEND FLINT_VERSION "${CMAKE_MATCH_1}")
    endif()
  endforeach()
  list(JOIN FLINT_VERSION "." FLINT_VERSION)
endif()

set(_flint_required FLINT_LIBRARY FLINT_INCLUDE_DIR MPFR_FOUND)
if(FLINT_VERSION AND FLINT_VERSION VERSION_LESS 3)
  find_path(ARB_INCLUDE_DIR arb.h)
  find_library(ARB_LIBRARY NAMES flint-arb arb)
  mark_as_advanced(ARB_INCLUDE_DIR ARB_LIBRARY)
  list(APPEND _flint_required ARB_LIBRARY ARB_INCLUDE_DIR)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(FLINT
  REQUIRED_VARS ${_flint_required} VERSION_VAR FLINT_VERSION)

if(FLINT_FOUND AND NOT TARGET FLINT::FLINT)
  add_library(FLINT::FLINT UNKNOWN IMPORTED)
  if(FLINT_VERSION VERSION_LESS 3)
    set_target_properties(FLINT::FLINT PROPERTIES
      IMPORTED_LOCATION "${ARB_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${ARB_INCLUDE_DIR};${FLINT_INCLUDE_DIR}"
      INTERFACE_COMPILE_DEFINITIONS PLAUDIT_FLINT3=0
      INTERFACE_LINK_LIBRARIES "${FLINT_LIBRARY};MPFR::MPFR")
  else()
    set_target_properties(FLINT::FLINT PROPERTIES
      IMPORTED_LOCATION "${FLINT_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${FLINT_INCLUDE_DIR}"
      INTERFACE_COMPILE_DEFINITIONS PLAUDIT_FLINT3=1
      INTERFACE_LINK_LIBRARIES MPFR::MPFR)
  endif()
endif()
