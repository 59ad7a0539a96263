# One program per folder of tests: engine, formats, session, views. Not part of `all`; build the target attention_tests,
# then run ctest. As WebAssembly the same tests of engine, formats and session run in Node.
#
# GoogleTest is built from its sources, also natively, so that it carries the same sanitizers as what it tests.
if(EXISTS /usr/src/googletest/googletest/src/gtest-all.cc)
  set(googletest_SOURCE_DIR /usr/src/googletest)
else()
  fetch_sources(googletest
    POOL pool/main/g/googletest/googletest_1.12.1.orig.tar.gz
    SHA256 81964fe578e9bd7c94dfdb09c8e4d6e6759e19967e397dbea48d1c10e45d0df2
    GIT https://github.com/google/googletest.git COMMIT release-1.12.1)
endif()
set(gtest_folder ${googletest_SOURCE_DIR}/googletest)
add_third_party_library(attention_gtest EXCLUDE_FROM_ALL ${gtest_folder}/src/gtest-all.cc ${gtest_folder}/src/gtest_main.cc)
target_include_directories(attention_gtest SYSTEM PUBLIC ${gtest_folder}/include PRIVATE ${gtest_folder})
if(EMSCRIPTEN)
  target_compile_definitions(attention_gtest PUBLIC GTEST_HAS_PTHREAD=0)
else()
  find_package(Threads REQUIRED)
  target_link_libraries(attention_gtest PUBLIC Threads::Threads)
endif()

# What Node.js must be told so that it knows relaxed instructions, as browsers do; whether it then has a multiply-add that
# rounds once, which the processor decides.
if(EMSCRIPTEN)
  set(relaxed_flag --experimental-wasm-relaxed-simd)
  execute_process(COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR} ${relaxed_flag} -e 0 RESULT_VARIABLE refuses_flag OUTPUT_QUIET ERROR_QUIET)
  if(refuses_flag)
    set(relaxed_flag)
  endif()
  # f(x, c): the first of four f32x4.relaxed_madd(x, x, c). (1 + 2⁻¹²)² − (1 + 2⁻¹¹) is 2⁻²⁴ or, rounded twice, 0.
  string(CONCAT module "0,97,115,109,1,0,0,0,1,7,1,96,2,125,125,1,125,3,2,1,0,7,5,1,1,102,0,0,10,22,1,20,0,"
                       "32,0,253,19,32,0,253,19,32,1,253,19,253,133,2,253,31,0,11")
  execute_process(COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR} ${relaxed_flag} -e
    "const { f } = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.of(${module}))).exports;\
     process.exit(f(1 + 2 ** -12, -1 - 2 ** -11) === 2 ** -24 ? 0 : 1)" RESULT_VARIABLE rounds_twice OUTPUT_QUIET ERROR_QUIET)
endif()

add_custom_target(attention_tests)

# test_program(<folder of tests> <library>...)
function(test_program name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS tests/${name}/*.cpp)
  if(NOT sources)
    message(FATAL_ERROR "tests/${name} holds no test, but is listed as a test program")
  endif()
  add_executable(${name}_tests EXCLUDE_FROM_ALL ${sources})
  target_link_libraries(${name}_tests PRIVATE ${ARGN} attention_gtest)
  attention_compile_options(${name}_tests)
  set_target_properties(${name}_tests PROPERTIES UNITY_BUILD ${ATTENTION_LAB_UNITY})
  if(EMSCRIPTEN)
    target_link_libraries(${name}_tests PRIVATE attention_thread_pool_none attention_relaxed_kernels)
    # One file each, since this Emscripten's loader trips over Node's own fetch.
    target_link_options(${name}_tests PRIVATE -sSINGLE_FILE=1 -sENVIRONMENT=node -sALLOW_MEMORY_GROWTH=1 -sEXIT_RUNTIME=1
                        -sINITIAL_MEMORY=64MB)
    set_target_properties(${name}_tests PROPERTIES CROSSCOMPILING_EMULATOR "${CMAKE_CROSSCOMPILING_EMULATOR};${relaxed_flag}")
    if(rounds_twice EQUAL 0)
      target_compile_definitions(${name}_tests PRIVATE WEBASSEMBLY_ROUNDS_ONCE)
    endif()
  endif()
  add_dependencies(attention_tests ${name}_tests)
  add_test(NAME ${name} COMMAND ${name}_tests)
endfunction()

test_program(engine attention_formats attention_json attention_highway)
test_program(formats attention_formats attention_json attention_zlib)
file(GLOB attention_cases CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/reference/attention_*.json)
embed_files(formats_tests embedded_attention_cases ${attention_cases})
target_sources(formats_tests PRIVATE tests/engine/support.cpp tests/engine/step_facets.cpp)
test_program(session attention_session attention_json)
if(NOT EMSCRIPTEN)
  # For runs longer than the suite's own: build it with the debug preset and give it seconds and a seed.
  add_executable(session_fuzz EXCLUDE_FROM_ALL tests/fuzz/session_fuzz.cpp tests/formats/mutation.cpp)
  target_link_libraries(session_fuzz PRIVATE attention_formats)
  attention_compile_options(session_fuzz)
  add_dependencies(attention_tests session_fuzz)

  test_program(command_line attention_command_line attention_json attention_zlib)
  test_program(views attention_app)
endif()
