# The fonts that are embedded, into ${font_files}: Inter for text, JetBrains Mono for numbers, cut down by pyftsubset to
# the characters of fonts.txt (whole where there is no pyftsubset).
set(font_folder ${PROJECT_BINARY_DIR}/fonts)
set(font_names Inter-Regular.otf Inter-SemiBold.otf Inter-Bold.otf Inter-Italic.otf
    JetBrainsMono-Regular.ttf JetBrainsMono-Bold.ttf)

# The machine's own Python has Debian's fonttools; the first python3 on the path may be another.
find_program(FONT_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(FONT_PYTHON python3)
execute_process(COMMAND ${FONT_PYTHON} -c "import fontTools.subset" RESULT_VARIABLE fonttools_missing ERROR_QUIET)

file(STRINGS ${PROJECT_SOURCE_DIR}/cmake/fonts.txt font_ranges REGEX "^U\\+")
list(TRANSFORM font_ranges REPLACE "#.*" "")
list(JOIN font_ranges " " font_ranges)

# subset_font(<whole font> <result>): no layout tables and no hinting, since stb_truetype reads neither.
function(subset_font whole result)
  if(fonttools_missing)
    add_custom_command(OUTPUT ${result} COMMAND ${CMAKE_COMMAND} -E copy ${whole} ${result} DEPENDS ${whole})
    return()
  endif()
  add_custom_command(OUTPUT ${result}
    COMMAND ${FONT_PYTHON} -m fontTools.subset ${whole} --output-file=${result} --unicodes=${font_ranges}
            --layout-features= --no-hinting --desubroutinize --name-IDs=1,2,13 --notdef-outline
            --drop-tables+=GSUB,GPOS,GDEF,DSIG,FFTM,STAT,meta
    DEPENDS ${whole} ${PROJECT_SOURCE_DIR}/cmake/fonts.txt VERBATIM)
endfunction()

set(font_files "")
foreach(name IN LISTS font_names)
  find_file(FONT_${name} ${name} PATHS /usr/share/fonts/opentype/inter /usr/share/fonts/truetype/jetbrains-mono
            NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  subset_font(${FONT_${name}} ${font_folder}/${name})
  list(APPEND font_files ${font_folder}/${name})
endforeach()
file(MAKE_DIRECTORY ${font_folder})
