# Target helpers. A folder under src/ is one static library pc_<name>; its tests stand beside the
# sources as *_test.cc and become one executable pc_<name>_test.

# The product is one fully static executable, so archives are linked in every configuration.
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
pkg_check_modules(ABSL REQUIRED IMPORTED_TARGET absl_strings absl_time absl_flat_hash_map)
pkg_check_modules(CRYPTO REQUIRED IMPORTED_TARGET libcrypto)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)
pkg_check_modules(RE2 REQUIRED IMPORTED_TARGET re2)
if(PORTCULLIS_TESTS)
  find_package(GTest REQUIRED)
endif()

add_library(pc_warnings INTERFACE)
target_compile_options(pc_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast
  -Woverloaded-virtual -Wimplicit-fallthrough -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # -Wrestrict of g++ 12 reports std::string concatenation (GCC bug 105651).
  target_compile_options(pc_warnings INTERFACE -Wnull-dereference -Wno-restrict)
else()
  # std::stable_sort of libstdc++ 12 uses a function that the library itself deprecates.
  target_compile_options(pc_warnings INTERFACE -Wno-deprecated-declarations)
endif()

# A test asserts that a look-up found something and then uses it. Named after pc_warnings, so that
# its option comes later.
add_library(pc_test_warnings INTERFACE)
target_compile_options(pc_test_warnings INTERFACE -Wno-null-dereference)

# pc_library(name [HOT] [DEPS target...]): all .cc files of the current folder (and of the named
# SUBDIRS), tests excepted. HOT: the release build optimises for speed alone.
function(pc_library name)
  cmake_parse_arguments(ARG "HOT" "" "DEPS;SUBDIRS" ${ARGN})
  set(patterns ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  foreach(sub ${ARG_SUBDIRS})
    list(APPEND patterns ${CMAKE_CURRENT_SOURCE_DIR}/${sub}/*.cc)
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS ${patterns})
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  if(NOT sources)
    add_library(pc_${name} INTERFACE)
    target_include_directories(pc_${name} INTERFACE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(pc_${name} INTERFACE ${ARG_DEPS})
    return()
  endif()
  add_library(pc_${name} STATIC ${sources})
  target_include_directories(pc_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(pc_${name} PUBLIC ${ARG_DEPS} PRIVATE pc_warnings)
  if(ARG_HOT)
    target_compile_options(pc_${name} PRIVATE $<$<CONFIG:Release>:-O3>)
  endif()
  if(PORTCULLIS_TESTS AND tests)
    add_executable(pc_${name}_test ${tests})
    target_link_libraries(pc_${name}_test PRIVATE pc_${name} pc_warnings pc_test_warnings
                          GTest::gtest_main)
    add_test(NAME pc_${name}_test COMMAND pc_${name}_test
             WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    # What ./dev sanitized runs.
    set_tests_properties(pc_${name}_test PROPERTIES LABELS engine)
  endif()
endfunction()
