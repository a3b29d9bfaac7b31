#!/bin/sh
# fake-ptxas.sh FOLDER COMMAND: a CUDA toolkit whose ptxas leaves its process number in FOLDER/pid and becomes COMMAND.
mkdir -p "$1/bin"
printf '#!/bin/sh\necho $$ > %s/started && mv %s/started %s/pid\nexec %s\n' "$1" "$1" "$1" "$2" > "$1/bin/ptxas"
chmod +x "$1/bin/ptxas"
