# The desktop window and the command line: one program.
find_package(OpenGL REQUIRED COMPONENTS OpenGL)

file(GLOB desktop_sources CONFIGURE_DEPENDS app/main_native.cpp app/platform_native*.cpp app/graphics*.cpp app/app_loop.cpp
     app/touch_input.cpp)
add_executable(attention_lab ${desktop_sources})
set_target_properties(attention_lab PROPERTIES OUTPUT_NAME attention-lab RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
target_link_libraries(attention_lab PRIVATE attention_app attention_command_line attention_imgui_backends PkgConfig::FONTCONFIG OpenGL::GL)
target_link_options(attention_lab PRIVATE -Wl,--gc-sections)
attention_compile_options(attention_lab)
