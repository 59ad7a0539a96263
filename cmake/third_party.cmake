# Third-party libraries as targets. Their headers reach only the targets that link them; no warnings, no checks of ours.
include(cmake/dependencies.cmake)

function(add_third_party_library target)
  add_library(${target} STATIC ${ARGN})
  target_compile_options(${target} PRIVATE -w $<$<AND:$<BOOL:${EMSCRIPTEN}>,$<CONFIG:Release>>:-Os>)
endfunction()

# --- JSON and zlib: the system's natively, sources for WebAssembly -------------------------------------------------
if(NOT EMSCRIPTEN)
  # engine/formats/number_text.cpp takes digits from nlohmann::detail (3.10 and 3.11 have it alike).
  find_package(nlohmann_json 3.10 QUIET)
  find_package(ZLIB QUIET)
endif()

add_library(attention_json INTERFACE)
target_compile_definitions(attention_json INTERFACE JSON_NOEXCEPTION)
if(TARGET nlohmann_json::nlohmann_json)
  target_link_libraries(attention_json INTERFACE nlohmann_json::nlohmann_json)
else()
  fetch_sources(nlohmann_json
    POOL pool/main/n/nlohmann-json3/nlohmann-json3_3.11.2.orig.tar.gz
    SHA256 d69f9deb6a75e2580465c6c4c5111b89c4dc2fa94e3a85fcd2ffcd9a143d9273
    GIT https://github.com/nlohmann/json.git COMMIT v3.11.2)
  target_include_directories(attention_json SYSTEM INTERFACE ${nlohmann_json_SOURCE_DIR}/single_include)
endif()

if(EMSCRIPTEN)
  fetch_sources(fast_float
    POOL pool/main/f/fast-float/fast-float_3.9.0.orig.tar.gz
    SHA256 a10443e13748291709b422b2da49fc6753a1a43bf24205d4600595dfe3d811bb
    GIT https://github.com/fastfloat/fast_float.git COMMIT v3.9.0)
endif()

if(TARGET ZLIB::ZLIB)
  add_library(attention_zlib ALIAS ZLIB::ZLIB)
else()
  fetch_sources(zlib
    POOL pool/main/z/zlib/zlib_1.2.13.dfsg.orig.tar.bz2
    SHA256 71feb7947e3c00ef125f83b79a4e529bde31171e5babe48b391f06758d1ab0a1
    GIT https://github.com/madler/zlib.git COMMIT v1.2.13)
  set(zlib_files adler32 compress crc32 deflate inffast inflate inftrees trees uncompr zutil)
  list(TRANSFORM zlib_files PREPEND ${zlib_SOURCE_DIR}/)
  list(TRANSFORM zlib_files APPEND .c)
  add_third_party_library(attention_zlib ${zlib_files})
  target_include_directories(attention_zlib SYSTEM PUBLIC ${zlib_SOURCE_DIR})
endif()

# --- Highway: one source for the vectors of every processor ---------------------------------------------------------
fetch_sources(highway
  POOL pool/main/h/highway/highway_1.0.3.orig.tar.gz
  SHA256 566fc77315878473d9a6bd815f7de78c73734acdcb745c3dde8579560ac5440e
  GIT https://github.com/google/highway.git COMMIT 1.0.3)
add_third_party_library(attention_highway ${highway_SOURCE_DIR}/hwy/targets.cc)
target_include_directories(attention_highway SYSTEM PUBLIC ${highway_SOURCE_DIR})
# Fewer kinds of processor, less to build and to test: those before SSE4 take its scalar form, the newest that of AVX-512.
target_compile_definitions(attention_highway PUBLIC "HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_AVX3_DL)")

# --- SDL2 ----------------------------------------------------------------------------------------------------------
if(EMSCRIPTEN)
  include(cmake/sdl2_for_web.cmake)
else()
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(SDL2 REQUIRED IMPORTED_TARGET sdl2)
  pkg_check_modules(FONTCONFIG REQUIRED IMPORTED_TARGET fontconfig)
  add_library(attention_sdl2 INTERFACE)
  target_link_libraries(attention_sdl2 INTERFACE PkgConfig::SDL2)
endif()

# --- Dear ImGui ----------------------------------------------------------------------------------------------------
fetch_sources(imgui
  POOL pool/main/i/imgui/imgui_1.92.2b+ds.orig.tar.xz
  SHA256 e7bd201d56b5ee90d24d5dac85e5c12f98bdb95410252a62d27b7f89e4566d48
  GIT https://github.com/ocornut/imgui.git COMMIT 45acd5e0e82f4c954432533ae9985ff0e1aad6d5)

add_third_party_library(attention_imgui
  ${imgui_SOURCE_DIR}/imgui.cpp ${imgui_SOURCE_DIR}/imgui_draw.cpp ${imgui_SOURCE_DIR}/imgui_tables.cpp
  ${imgui_SOURCE_DIR}/imgui_widgets.cpp ${imgui_SOURCE_DIR}/imgui_demo.cpp
  ${imgui_SOURCE_DIR}/misc/cpp/imgui_stdlib.cpp)
target_include_directories(attention_imgui SYSTEM PUBLIC ${imgui_SOURCE_DIR} ${imgui_SOURCE_DIR}/misc/cpp)
target_include_directories(attention_imgui PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_definitions(attention_imgui PUBLIC IMGUI_USER_CONFIG="${PROJECT_SOURCE_DIR}/app/imgui_config.h")

# The backends alone see SDL, so that a view that includes attention_imgui cannot.
add_third_party_library(attention_imgui_backends
  ${imgui_SOURCE_DIR}/backends/imgui_impl_sdl2.cpp ${imgui_SOURCE_DIR}/backends/imgui_impl_opengl3.cpp)
target_include_directories(attention_imgui_backends SYSTEM PUBLIC ${imgui_SOURCE_DIR}/backends)
target_link_libraries(attention_imgui_backends PUBLIC attention_imgui attention_sdl2)
if(EMSCRIPTEN)
  # imgui_impl_sdl2.cpp uses EM_JS without including its header, which Emscripten 3.1.6 still minds.
  target_compile_options(attention_imgui_backends PRIVATE "SHELL:-include emscripten.h")
  # Asking for OpenGL's state is slow in a browser, and setting what is set: app/platform_web_gl_state.cpp answers instead.
  target_compile_definitions(attention_imgui_backends PRIVATE IMGUI_IMPL_OPENGL_ES3)
  foreach(function glGetIntegerv glIsEnabled glEnable glDisable glBlendEquation glBlendEquationSeparate glBlendFuncSeparate
      glActiveTexture glBindSampler glUniform1i glUniformMatrix4fv glViewport glScissor glUseProgram glBindTexture glBindBuffer
      glGenVertexArrays glBindVertexArray glDeleteVertexArrays glEnableVertexAttribArray glVertexAttribPointer glPixelStorei
      glTexSubImage2D)
    target_compile_definitions(attention_imgui_backends PRIVATE ${function}=attention_${function})
  endforeach()
endif()
