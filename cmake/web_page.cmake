# The page: the engine and the window as WebAssembly, our own index.html around it, and the same in a single file.
set(site ${PROJECT_BINARY_DIR}/site)

file(GLOB page_sources CONFIGURE_DEPENDS app/main_web.cpp app/javascript*.cpp app/platform_web*.cpp app/graphics.cpp
     app/app_loop.cpp app/touch_input.cpp)
add_executable(attention_lab ${page_sources})
set_target_properties(attention_lab PROPERTIES OUTPUT_NAME attention_lab SUFFIX .js RUNTIME_OUTPUT_DIRECTORY ${site})
target_link_libraries(attention_lab PRIVATE attention_app attention_benchmark attention_imgui_backends)
attention_compile_options(attention_lab)
# The glue must not eval (our content security policy forbids it), knows one environment and needs no file system.
target_link_options(attention_lab PRIVATE
  -sMODULARIZE=1 -sEXPORT_NAME=createAttentionLab -sENVIRONMENT=web -sDYNAMIC_EXECUTION=0 -sFILESYSTEM=0
  -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2 -sALLOW_MEMORY_GROWTH=1
  -sEXPORTED_RUNTIME_METHODS=UTF8ToString,stringToUTF8,lengthBytesUTF8 -sEXPORTED_FUNCTIONS=_main,_malloc,_free)

# What the browser loads, beside the program itself.
set(page_files index.html style.css favicon.svg lab.js frames.js benchmark.js host.js input.js interface.js strings.js typing.js)
list(TRANSFORM page_files PREPEND ${PROJECT_SOURCE_DIR}/web/)
list(APPEND page_files ${PROJECT_SOURCE_DIR}/docs/licences.md)
find_program(NODE_PROGRAM NAMES node nodejs REQUIRED)
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/attention-lab.html ${site}/index.html
  COMMAND ${NODE_PROGRAM} ${PROJECT_SOURCE_DIR}/web/make_site.mjs ${site} ${PROJECT_BINARY_DIR}/attention-lab.html
  DEPENDS attention_lab ${page_files} ${PROJECT_SOURCE_DIR}/web/make_site.mjs VERBATIM)
add_custom_target(attention_page ALL DEPENDS ${PROJECT_BINARY_DIR}/attention-lab.html)
