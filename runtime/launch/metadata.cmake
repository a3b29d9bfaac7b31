# What the compiler says a launcher needs, and what the driver's errors mean: for the launch library, its relatives and the
# emulator, which do without LLVM.
include_guard(GLOBAL)
find_package(nlohmann_json 3.11 REQUIRED)
set(sources DriverError.cpp ElfImage.cpp Metadata.cpp TensorMaps.cpp)
list(TRANSFORM sources PREPEND "${CMAKE_CURRENT_LIST_DIR}/")
add_library(tileiras-launch-metadata STATIC ${sources})
target_include_directories(tileiras-launch-metadata PUBLIC "${CMAKE_CURRENT_LIST_DIR}")
target_link_libraries(tileiras-launch-metadata PRIVATE nlohmann_json::nlohmann_json PUBLIC ${CMAKE_DL_LIBS})
set_target_properties(tileiras-launch-metadata PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
