# The page: the engine and the window as WebAssembly, our own index.html around it, and the same in a single file.
set(site ${PROJECT_BINARY_DIR}/site)

file(GLOB page_sources CONFIGURE_DEPENDS app/main_web.cpp app/javascript*.cpp app/platform_web*.cpp app/graphics*.cpp
     app/app_loop.cpp app/touch_input.cpp)
add_library(attention_page_objects OBJECT ${page_sources})
target_link_libraries(attention_page_objects PUBLIC attention_app attention_benchmark attention_imgui_backends)
attention_compile_options(attention_page_objects)

# page_program(<name> "<pool of threads>;<products for its memory>" <option>...): the same objects, linked for one kind of page.
# The glue must not eval (our content security policy forbids it), needs no file system, and asks for no extensions of WebGL: none is
# used, and one after another they would keep the first frame waiting.
function(page_program name libraries)
  add_executable(${name})
  set_target_properties(${name} PROPERTIES SUFFIX .js RUNTIME_OUTPUT_DIRECTORY ${site} LINKER_LANGUAGE CXX)
  target_link_libraries(${name} PRIVATE attention_page_objects ${libraries})
  target_link_options(${name} PRIVATE
    -sMODULARIZE=1 -sDYNAMIC_EXECUTION=0 -sFILESYSTEM=0 -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2 -sALLOW_MEMORY_GROWTH=1
    -sGL_SUPPORT_AUTOMATIC_ENABLE_EXTENSIONS=0
    -sEXPORTED_RUNTIME_METHODS=UTF8ToString,stringToUTF8,lengthBytesUTF8 -sEXPORTED_FUNCTIONS=_main,_malloc,_free ${ARGN})
endfunction()
page_program(attention_lab "attention_thread_pool_none;attention_relaxed_kernels" -sEXPORT_NAME=createAttentionLab -sENVIRONMENT=web)
# Memory that is shared grows too, as a map of thousands of tokens needs what a small one must not take; what that costs is
# that the glue looks, whenever it reads memory, whether it has grown. No worker is started before the program asks for it.
page_program(attention_lab_threads "attention_thread_pool;attention_relaxed_kernels_shared"
  -sEXPORT_NAME=createAttentionLabWithThreads -sENVIRONMENT=web,worker
  -pthread -Wno-pthreads-mem-growth)

# What the browser loads, beside the program itself.
set(page_files index.html style.css favicon.svg lab.js frames.js benchmark.js host.js input.js interface.js strings.js typing.js
    program.js isolation.js isolating_worker.js)
list(TRANSFORM page_files PREPEND ${PROJECT_SOURCE_DIR}/web/)
list(APPEND page_files ${PROJECT_SOURCE_DIR}/docs/licences.md)
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/attention-lab.html ${site}/index.html
  COMMAND ${NODE_PROGRAM} ${PROJECT_SOURCE_DIR}/web/make_site.mjs ${site} ${PROJECT_BINARY_DIR}/attention-lab.html
  DEPENDS attention_lab attention_lab_threads ${page_files} ${PROJECT_SOURCE_DIR}/web/make_site.mjs VERBATIM)
add_custom_target(attention_page ALL DEPENDS ${PROJECT_BINARY_DIR}/attention-lab.html)
