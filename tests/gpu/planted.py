"""Small kernels with a mistake in each, so that both can be seen to find it: the emulator here, compute-sanitizer there."""

import re
import subprocess

import payload

HEAD = """.version 8.0
.target sm_90
.address_size 64
.visible .entry planted(.param .u64 in, .param .u64 out)
.reqntid 64, 1, 1
{
  .reg .u64 %a, %b, %o, %s;
  .reg .u32 %t, %n, %v;
  .shared .align 4 .b8 words[256];
  ld.param.u64 %a, [in];
  ld.param.u64 %b, [out];
  cvta.to.global.u64 %a, %a;
  cvta.to.global.u64 %b, %b;
  mov.u32 %t, %tid.x;
  mul.wide.u32 %o, %t, 4;
  add.u64 %a, %a, %o;
  add.u64 %b, %b, %o;
"""
TAIL = "  st.global.u32 [%b], %v;\n  ret;\n}\n"

# name: (kind of the emulator's report, body: %a and %b are the thread's words of 64 in global memory)
KERNELS = {
    # The other warp's words are read without a barrier.
    "shared_race": ("data-race", """  mov.u64 %s, words;
  add.u64 %s, %s, %o;
  ld.global.u32 %v, [%a];
  st.shared.u32 [%s], %t;
  bar.sync 0;
  st.shared.u32 [%s], %v;
  xor.b32 %n, %t, 32;
  mul.wide.u32 %o, %n, 4;
  mov.u64 %s, words;
  add.u64 %s, %s, %o;
  ld.shared.u32 %v, [%s];
"""),
    # The last thread reads the word behind the buffer.
    "read_behind": ("out-of-bounds", "  ld.global.u32 %v, [%a+4];\n"),
    "misaligned": ("misaligned", "  ld.global.u32 %v, [%a+2];\n"),
}
LAUNCH = """kernel planted
grid 1 1 1
block 64 1 1
buffer in 256 buf_in.bin
buffer out 256 buf_out.bin
param ptr in 0
param ptr out 0
"""


def write(folder, tools):
    """A case a kernel, with emulator.txt: the kind of mistake that the emulator finds."""
    for name, (kind, body) in KERNELS.items():
        case = folder / name
        payload.write_case(case, HEAD + body + TAIL, "90", LAUNCH, {"in": bytes(range(256)), "out": bytes(256)})
        (case / "compare.txt").write_text("")
        command = [tools.emulator, "run", case / "kernel.ptx", "--case", case, "--quiet"]
        done = subprocess.run(command, capture_output=True, text=True)
        found = set(re.findall(r"error\[([\w-]+)\]", done.stdout + done.stderr))
        if kind not in found:
            raise SystemExit(f"error: the emulator does not find the {kind} of {name}: {done.stdout}{done.stderr}")
        (case / "emulator.txt").write_text(kind + "\n")
        subprocess.run([tools.ptxas, "-arch=sm_90", case / "kernel.ptx", "-o", case / "kernel.cubin"], check=True)
