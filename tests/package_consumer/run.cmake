# Installs BUILD_DIR into a fresh prefix, builds the consumer against it alone and runs it.
set(work "${BUILD_DIR}/package_consumer")
set(prefix "${work}/prefix")
file(REMOVE_RECURSE "${work}")

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "failed: ${command}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --config "${CONFIGURATION}" --prefix "${prefix}")

file(GLOB_RECURSE headers RELATIVE "${prefix}/include" "${prefix}/include/*")
set(sources "${CMAKE_CURRENT_LIST_DIR}/../../api")
file(GLOB_RECURSE public RELATIVE "${sources}" "${sources}/plaudit/*.hpp")
if(NOT headers STREQUAL public)
  message(FATAL_ERROR "installed headers are not just those of api/plaudit: ${headers}")
endif()

list(PREPEND PREFIX_PATH "${prefix}")
list(JOIN PREFIX_PATH "\\;" prefix_path)
run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${work}/build" -G "${GENERATOR}"
  "-DCMAKE_BUILD_TYPE=${CONFIGURATION}" "-DCMAKE_CXX_COMPILER=${COMPILER}"
  "-DCMAKE_PREFIX_PATH=${prefix_path}")
run("${CMAKE_COMMAND}" --build "${work}/build" --config "${CONFIGURATION}")
run("${work}/build/consumer")

# The smallest epsilon of gaussian(sigma=1) at delta = 1e-5.
if(NOT output MATCHES "^4\\.3771")
  message(FATAL_ERROR "the consumer printed: ${output}")
endif()
message(STATUS "the consumer printed ${output}")

# The program of the README, as it stands there.
file(READ "${CMAKE_CURRENT_LIST_DIR}/readme.cpp" program)
file(READ "${CMAKE_CURRENT_LIST_DIR}/../../README.md" page)
string(FIND "${page}" "```cpp\n${program}```" place)
if(place EQUAL -1)
  message(FATAL_ERROR "README.md has another program than readme.cpp")
endif()
run("${work}/build/readme")
if(NOT output MATCHES "^2\\.08589836129[0-9]* 2\\.08589836129[0-9]*\n$")
  message(FATAL_ERROR "the program of the README printed: ${output}")
endif()

# The same by pkg-config.
if(PKG_CONFIG)
  set(ENV{PKG_CONFIG_PATH} "${prefix}/${LIBDIR}/pkgconfig")
  run("${PKG_CONFIG}" --cflags --libs plaudit)
  separate_arguments(flags UNIX_COMMAND "${output}")
  run("${COMPILER}" "${CMAKE_CURRENT_LIST_DIR}/main.cpp" -o "${work}/by_pkg_config" ${flags})
  set(ENV{LD_LIBRARY_PATH} "${prefix}/${LIBDIR}:$ENV{LD_LIBRARY_PATH}")
  run("${work}/by_pkg_config")
  message(STATUS "built by pkg-config, it printed ${output}")
endif()
