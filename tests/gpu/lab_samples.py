"""Texts in the formats of NVIDIA's tools, for tests of what reads them. Written by hand after their documentation."""

SMI_SAMPLES = """2026/11/25 12:00:00.100, 1980, 2619, 690.11, 55
2026/11/25 12:00:00.200, 1755, 2619, [N/A], 56
2026/11/25 12:00:00.300, 1890, 2619, 650.00, 57
not a line of samples
2026/11/25 12:00:00.400, 18"""

SMI_STATE = "NVIDIA H200, 580.159.03, 143771, 700.00, 1980, 3201, 345, 3201, 29, [Not Supported]\n"

NCU = """==PROF== Connected to process 4711 (/usr/bin/python3.12)
==PROF== Profiling "kernel" - 0: 0%....50%....100% - 9 passes
==PROF== Disconnected from process 4711
"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit","Metric Value"
"0","4711","python3.12","127.0.0.1","kernel","1","7","(384, 1, 1)","(132, 1, 1)","0","9.0","Command line profiler metrics","dram__bytes_read.sum","byte","67,108,864"
"0","4711","python3.12","127.0.0.1","kernel","1","7","(384, 1, 1)","(132, 1, 1)","0","9.0","Command line profiler metrics","gpu__time_duration.sum","nsecond","182,400"
"0","4711","python3.12","127.0.0.1","kernel","1","7","(384, 1, 1)","(132, 1, 1)","0","9.0","Command line profiler metrics","sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed","%","87.25"
"0","4711","python3.12","127.0.0.1","kernel","1","7","(384, 1, 1)","(132, 1, 1)","0","9.0","Command line profiler metrics","lts__t_sectors.sum","sector","n/a"
"""
NCU_FORBIDDEN = """==PROF== Connected to process 4711 (/usr/bin/python3.12)
==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters on the target device 0.
"""
NCU_UNKNOWN = "==ERROR== Failed to find metric sm__inst_executed_pipe_tensor_op_gmma.avg.pct_of_peak_sustained_active\n"

MEMCHECK = """========= COMPUTE-SANITIZER
========= Invalid __global__ read of size 4 bytes
=========     at planted+0x120
=========     by thread (63,0,0) in block (0,0,0)
=========     Address 0x7f1c8fa00100 is out of bounds
=========     and is 1 bytes after the nearest allocation at 0x7f1c8fa00000 of size 256 bytes
=========
========= ERROR SUMMARY: 1 error
"""
MEMCHECK_CLEAN = "========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n"
RACECHECK = """========= COMPUTE-SANITIZER
========= Error: Race reported between Write access at planted+0x150
=========     and Read access at planted+0x1a0 [128 hazards]
=========
========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)
"""
RACECHECK_CLEAN = "========= COMPUTE-SANITIZER\n========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)\n"
REFUSED = """========= COMPUTE-SANITIZER
========= Error: Device not supported. Please refer to the "Supported Devices" section of the sanitizer documentation
=========
========= Target application terminated before first instrumented API call
"""
