"""Measures one row: our kernel with every tile that it was compiled for, PyTorch's operation, and Triton's kernel.

The stages of a row are "0", "1" … for our tiles, "torch" and "triton". Each is announced and then told; what stops the
process stops the stage that was announced last.
"""

import importlib
import pathlib
import time

import buffers
import check
import devices
import launching
import timing

HERE = pathlib.Path(__file__).resolve().parent
NO_TORCH = "there is no PyTorch with CUDA"


def load(name):
    """PyTorch or Triton, or None. Does not touch CUDA: a process that did could not be forked."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def stages_of(row):
    return [str(index) for index in range(len(row["variants"]))] + ["torch", "triton"]


def measure_row(row, stages, options, send):
    torch = load("torch") if options["torch"] else None
    if torch is None:
        return without_torch(row, stages, options, send)
    import operations
    device = devices.TorchDevice(torch, options["flush_bytes"])
    operation = operations.make(torch, row["operation"])
    wanted = operation.reference()
    work = Work(torch, device, operation, wanted, timing.Effort(**options["effort"]))
    for stage in stages:
        send({"stage": stage})
        if stage == "torch":
            result = guarded(work.torch_way)
        elif stage == "triton":
            result = guarded(work.triton_way)
        else:
            result = work.our_way(row["variants"][int(stage)])
        send({"stage": stage, "result": result})


def guarded(way):
    """What cannot be done here is no failure."""
    from operations import Missing
    try:
        return way()
    except Missing as reason:
        return {"missing": str(reason)}


class Work:
    def __init__(self, torch, device, operation, wanted, effort):
        self.torch, self.device, self.operation, self.wanted, self.effort = torch, device, operation, wanted, effort

    def our_way(self, variant):
        kernel = launching.Kernel(HERE / variant["cubin"])
        addresses = {name: tensor.data_ptr() for name, tensor in self.operation.tensors.items()}
        launch = kernel.bind(variant["grid"], variant["parameters"], addresses, self.device.stream)
        self.operation.poison()
        launch()
        self.device.synchronize()
        verdict = check.judge(self.operation.results(), self.wanted, self.operation.tolerance)
        return {"kernel": kernel.info(), "check": verdict, **self.time(launch)}

    def torch_way(self):
        label, function, names = self.operation.competitor()
        return {"label": label, **self.check_and_time(function, names)}

    def triton_way(self):
        from operations import Missing
        if not load("triton"):
            raise Missing("there is no Triton")
        import triton_kernels
        name, choices = triton_kernels.choices(self.torch, self.operation)
        quick, times, refused = timing.Effort(0, 3, 3), {}, []
        for label, function in choices.items():
            try:
                times[label] = timing.estimate(self.device, function, quick)
            except Exception as reason:  # noqa: BLE001: tiles that do not fit; errors of many classes
                refused.append(f"{label}: {str(reason).splitlines()[0] if str(reason) else type(reason).__name__}")
        if not times:
            raise Missing(f"no tile of the Triton kernel runs: {'; '.join(refused)}")
        best = min(times, key=times.get)
        return {"label": best, "refused": refused, **self.check_and_time(choices[best], [name])}

    def check_and_time(self, function, names):
        """Of what others compute, who may round more than we do."""
        results = function()
        results = results if isinstance(results, (tuple, list)) else [results]
        found = dict(zip(names, results))
        verdict = check.judge(found, self.wanted, max(self.operation.tolerance, 1e-2))
        return {"check": verdict, **self.time(function)}

    def time(self, launch):
        start = time.time()
        times = timing.measure(self.device, launch, self.effort)
        return {"time": times, "from": start, "to": time.time()}


def without_torch(row, stages, options, send):
    """Our kernels alone, on operands that Python draws; nobody knows what is right."""
    described = buffers.describe(row["operation"])
    device = devices.DriverDevice(options["flush_bytes"])
    addresses = device.place(described)
    for stage in stages:
        send({"stage": stage})
        if stage in ("torch", "triton"):
            result = {"missing": NO_TORCH}
        else:
            variant = row["variants"][int(stage)]
            kernel = launching.Kernel(HERE / variant["cubin"])
            launch = kernel.bind(variant["grid"], variant["parameters"], addresses, 0)
            start = time.time()
            times = timing.measure(device, launch, timing.Effort(**options["effort"]))
            result = {"kernel": kernel.info(), "check": {"missing": NO_TORCH}, "time": times, "from": start, "to": time.time()}
        send({"stage": stage, "result": result})


def launch_for_profiler(row, options, count=3):
    """The first tile's kernel a few times, with the operands of a measurement."""
    torch = load("torch") if options["torch"] else None
    if torch is None:
        device = devices.DriverDevice(1 << 20)
        addresses = device.place(buffers.describe(row["operation"]))
    else:
        import operations
        operation = operations.make(torch, row["operation"])
        device = devices.TorchDevice(torch, 1 << 20)
        addresses = {name: tensor.data_ptr() for name, tensor in operation.tensors.items()}
    variant = row["variants"][0]
    launch = launching.Kernel(HERE / variant["cubin"]).bind(variant["grid"], variant["parameters"], addresses, device.stream)
    for _ in range(count):
        launch()
    device.synchronize()


def look(options, send):
    """The device, PyTorch and Triton, as a child sees them."""
    found = launching.Driver().describe()
    torch = load("torch") if options["torch"] else None
    if torch is not None:
        found["torch"] = torch.__version__
        found["torch_cuda"] = str(torch.version.cuda)
        if not torch.cuda.is_available():
            found["torch_without_cuda"] = True
        else:
            device = devices.TorchDevice(torch, options["flush_bytes"])
            found["event_us"] = timing.event_overhead(device, timing.Effort(**options["effort"]))
    if triton := load("triton"):
        found["triton"] = triton.__version__
    send({"device": found})
