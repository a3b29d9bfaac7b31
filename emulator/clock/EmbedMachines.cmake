# Writes OUTPUT, a C++ file with the texts of the machine FILES (a list), sorted by name.
list(SORT FILES)
set(entries "")
foreach(file IN LISTS FILES)
  get_filename_component(name "${file}" NAME_WE)
  file(READ "${file}" text)
  string(APPEND entries "    {\"${name}\", R\"toml(${text})toml\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "// Written by EmbedMachines.cmake from the files of machines/.
#include \"MachineFiles.h\"

namespace ptxemu::timing {

static constexpr MachineFile kFiles[] = {
${entries}};

std::span<const MachineFile> machineFiles() {
  return kFiles;
}

} // namespace ptxemu::timing
")
