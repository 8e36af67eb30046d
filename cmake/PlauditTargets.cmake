# Compiler settings shared by every target, and the one way a layer is declared.

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release or RelWithDebInfo" FORCE)
  endif()
  set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  find_program(PLAUDIT_CCACHE ccache)
  if(PLAUDIT_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    # With precompiled headers ccache must look through them: at their macros too, at no dates.
    set(CMAKE_CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros "${PLAUDIT_CCACHE}")
  endif()
endif()

# What is watched at run time, and what watching needs. In fuzzing, every block that is reached is
# counted too, and the assertions of the libraries are on.
function(plaudit_sanitize target)
  if(PLAUDIT_SANITIZE STREQUAL "thread")
    set(sanitizers -fsanitize=thread)
  else()
    set(sanitizers -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all)
    target_compile_definitions(${target} PRIVATE _GLIBCXX_ASSERTIONS)  # an optional that is empty, an index too far
    # `undefined` leaves out casts of doubles that do not fit the integer, and the compiler makes
    # one unchecked instruction of a rounding and a cast unless the rounding is a function to it.
    target_compile_options(${target} PRIVATE -fno-builtin-ceil -fno-builtin-floor
      -fno-builtin-round -fno-builtin-trunc -fno-builtin-rint -fno-builtin-nearbyint)
  endif()
  if(PLAUDIT_FUZZ)
    target_compile_options(${target} PRIVATE
      -O1 -gline-tables-only -UNDEBUG -D_GLIBCXX_ASSERTIONS -fsanitize=fuzzer-no-link)
  endif()
  target_compile_options(${target} PRIVATE ${sanitizers} -fno-omit-frame-pointer)
  target_link_options(${target} PUBLIC ${sanitizers})
endfunction()

function(plaudit_settings target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  if(NOT EMSCRIPTEN)  # a module for browsers is one file, which is slower for it
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endif()
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_compile_definitions(${target} PRIVATE PLAUDIT_VERSION="${PROJECT_VERSION}"
    $<$<BOOL:${PLAUDIT_MUTANTS}>:PLAUDIT_MUTANTS>)
  # Error bounds of floating-point code assume that every operation rounds once, as written:
  # no fused multiply-add behind our back, never -ffast-math.
  target_compile_options(${target} PRIVATE
    -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wconversion
    $<$<BOOL:${PLAUDIT_WERROR}>:-Werror>)
  if(PLAUDIT_UNITY)
    # GCC looks for memory to free only from 600 MB on, which saves a tenth of its time for a fifth more memory (at most
    # 1 GB for a unit).
    target_compile_options(${target} PRIVATE
      $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=600000>)
  endif()
  if(PLAUDIT_SANITIZE OR PLAUDIT_FUZZ)
    plaudit_sanitize(${target})
  endif()
endfunction()

# plaudit_find_python(VARIABLE doc IMPORTS "a, b" FROM python...): the first of these that can import
# all of that, or else the last.
function(plaudit_find_python variable doc)
  cmake_parse_arguments(PARSE_ARGV 2 wanted "" "IMPORTS" "FROM")
  if(${variable})
    return()
  endif()
  list(GET wanted_FROM -1 found)
  foreach(python IN LISTS wanted_FROM)
    execute_process(COMMAND "${python}" -c "import ${wanted_IMPORTS}"
      RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(NOT failed)
      set(found "${python}")
      break()
    endif()
  endforeach()
  set(${variable} "${found}" CACHE FILEPATH "${doc}" FORCE)
endfunction()

# plaudit_optimise_less(TARGET [LEVEL]): code that spends its time in other libraries, not in its own loops. With -O1 a third
# of the compile time is saved, and queries take as long (measured: the median of 28 queries is 0.999 of that with -O2). With
# -Og another quarter is: for what reads, writes and draws.
function(plaudit_optimise_less target)
  if(NOT TARGET ${target})
    return()
  endif()
  set(level -O1)
  if(ARGC GREATER 1)
    set(level ${ARGV1})
  endif()
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${level}>)
endfunction()

# Each folder is compiled as one unit, if so configured; files of one folder share no name that only
# one of them knows.
function(plaudit_unity target)
  if(NOT PLAUDIT_UNITY)
    return()
  endif()
  foreach(source IN LISTS ARGN)
    get_filename_component(folder "${source}" DIRECTORY)
    file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}" "${folder}")
    string(MAKE_C_IDENTIFIER "${folder}" group)
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP ${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # Hidden types of a class that one file alone knows: right as long as that file is not included. A local name that another
  # file of the unit gives to a constant of its own: Clang calls that shadowed; ./dev tidy reads each file apart.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>
    $<$<CXX_COMPILER_ID:Clang>:-Wno-shadow>)
endfunction()

# plaudit_layer(NAME dependency...): the static library of the .cpp files below this folder, without
# those of folders that are layers of their own (they have a CMakeLists.txt).
# A folder without sources is an empty layer that hands on what it depends on.
function(plaudit_layer name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  file(GLOB nested CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*/CMakeLists.txt")
  foreach(layer IN LISTS nested)
    get_filename_component(folder "${layer}" DIRECTORY)
    list(FILTER sources EXCLUDE REGEX "^${folder}/")
  endforeach()
  if(sources)
    add_library(${name} STATIC ${sources})
    plaudit_settings(${name})
    plaudit_unity(${name} ${sources})
    target_link_libraries(${name} PUBLIC ${ARGN})
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE ${ARGN})
  endif()
endfunction()

# What nearly every file reads, and other libraries' headers that most files of the target read:
# they are compiled once for the target. `SAME_AS other` takes those of another target.
function(plaudit_precompile target)
  cmake_parse_arguments(PARSE_ARGV 1 given "" "SAME_AS" "")
  if(NOT PLAUDIT_PRECOMPILE OR NOT TARGET ${target})
    return()
  endif()
  if(given_SAME_AS)
    get_target_property(kind ${target} TYPE)
    if(kind STREQUAL EXECUTABLE)  # compiled as the libraries are, so that it can read the same headers
      set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
      target_compile_options(${target} PRIVATE -fPIC)
    endif()
    target_precompile_headers(${target} REUSE_FROM ${given_SAME_AS})
  else()
    target_precompile_headers(${target} PRIVATE <algorithm> <cmath> <functional> <map> <memory>
      <mutex> <optional> <sstream> <string> <variant> <vector> ${given_UNPARSED_ARGUMENTS})
  endif()
  # GCC 12 suspects the strings of its own library (GCC bugs 105329, 105651), which it keeps to
  # itself only where it reads their header as text: builds with PLAUDIT_PRECOMPILE=OFF have these
  # warnings.
  foreach(warning IN ITEMS array-bounds restrict stringop-overflow stringop-overread)
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-${warning}>)
  endforeach()
  if(PLAUDIT_CCACHE)
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>
      $<$<CXX_COMPILER_ID:Clang>:-Xclang> $<$<CXX_COMPILER_ID:Clang>:-fno-pch-timestamp>)
  endif()
endfunction()
