"""What rows compute, in PyTorch: operands, the results in higher precision, and the operation as PyTorch users call it.

A class a kind. `reference` gives {name: results}; `competitor` a label, a function, and the names of what that returns. The
tolerance of an element is relative to its size plus the root mean square of all.
"""

import buffers


class Missing(Exception):
    """This cannot be computed in that way here; why."""


class Operation:
    tolerance = 4e-3

    def __init__(self, torch, sizes, seed=1):
        self.torch, self.sizes, self.described = torch, sizes, buffers.describe(sizes)
        self.types = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "tf32": torch.float32,
                      "e4m3": getattr(torch, "float8_e4m3fn", None), "s8": torch.int8, "i32": torch.int32}
        torch.manual_seed(seed)
        self.tensors = {name: self.fill(buffer) for name, buffer in self.described.items()}
        self.derive()

    def __getattr__(self, name):
        try:
            return self.__dict__["tensors"][name]
        except KeyError:
            raise AttributeError(name) from None

    def fill(self, buffer):
        torch, kind = self.torch, buffer.fill.split()
        dtype = self.types[buffer.dtype]
        if dtype is None:
            raise Missing(f"this PyTorch has no elements {buffer.dtype}")
        if kind[0] == "permutation":
            return torch.randperm(buffer.elements, device="cuda").to(torch.int32)
        if kind[0] == "below":
            return torch.randint(0, int(kind[1]), buffer.shape, dtype=torch.int32, device="cuda")
        if kind[0] == "blocks":
            numbers = torch.arange(int(kind[1]), dtype=torch.int32, device="cuda")
            return numbers.repeat_interleave(buffer.elements // int(kind[1]))
        if kind[0] != "normal":
            return torch.zeros(buffer.shape, dtype=dtype, device="cuda")
        if buffer.dtype == "s8":
            return torch.randint(-128, 128, buffer.shape, dtype=torch.int8, device="cuda")
        return torch.randn(buffer.shape, dtype=torch.float32, device="cuda").to(dtype)

    def derive(self):
        """Fills in what follows from other buffers."""

    def poison(self):
        """What a kernel has to write is anything but right before it does."""
        for name, buffer in self.described.items():
            if buffer.fill == "sum":
                self.tensors[name].zero_()
            elif buffer.fill == "result":
                self.tensors[name].fill_(0x5A5A5A5A if buffer.dtype == "i32" else float("nan"))

    def results(self):
        return {name: self.tensors[name] for name, buffer in self.described.items() if buffer.is_result}

    def wide(self, name):
        return self.tensors[name].double()

    def competitor(self):
        raise Missing("PyTorch has no such operation")


def by_one_way(label, function, *names):
    return label, function, names


class Matmul(Operation):
    @property
    def tolerance(self):
        s = self.sizes
        ordinary = 1e-3 if s["result"] == "f32" else 4e-3
        return {"s8": 0, "e4m3": 5e-2 if s["fast"] else 1e-2, "tf32": 1e-2}.get(s["element"], ordinary)

    def operands(self, convert=lambda tensor: tensor):
        """As they are multiplied, whichever way they lie."""
        ways = self.sizes["transposed"]
        return [convert(self.tensors[name]).transpose(-1, -2) if way == "t" else convert(self.tensors[name])
                for name, way in zip("ab", ways)]

    def reference(self):
        a, b = self.operands(lambda tensor: tensor.float().double())
        product = a @ b
        if self.sizes["shape"] == "gelu":
            product = self.torch.nn.functional.gelu(product + self.wide("bias"), approximate="tanh")
        return {"c": product}

    def competitor(self):
        torch, s = self.torch, self.sizes
        a, b = self.operands()
        if s["element"] == "s8":
            return by_one_way("torch._int_mm", lambda: torch._int_mm(a, b), "c")
        if s["element"] == "e4m3":
            return self.scaled_product(a, b)
        if s["element"] == "tf32":
            torch.backends.cuda.matmul.allow_tf32 = True
            return by_one_way("matmul with TF32", lambda: torch.matmul(a, b), "c")
        if s["shape"] == "gelu":
            return self.product_and_gelu(a, b)
        if s["result"] == "f32":
            return self.wide_product(a, b)
        return by_one_way("bmm" if s["shape"] == "batched" else "matmul", lambda: torch.matmul(a, b), "c")

    def wide_product(self, a, b):
        """Not every PyTorch has products of halves with results in f32."""
        torch = self.torch
        try:
            torch.mm(a[:16, :16], b[:16, :16], out_dtype=torch.float32)
        except (TypeError, RuntimeError):
            return by_one_way("matmul, results in 16 bits", lambda: torch.matmul(a, b), "c")
        return by_one_way("mm with results in f32", lambda: torch.mm(a, b, out_dtype=torch.float32), "c")

    def product_and_gelu(self, a, b):
        torch, bias = self.torch, self.bias
        if hasattr(torch, "_addmm_activation"):
            return by_one_way("_addmm_activation", lambda: torch._addmm_activation(bias, a, b, use_gelu=True), "c")
        gelu = torch.nn.functional.gelu
        return by_one_way("gelu of addmm", lambda: gelu(torch.addmm(bias, a, b), approximate="tanh"), "c")

    def scaled_product(self, a, b):
        torch, s = self.torch, self.sizes
        if not hasattr(torch, "_scaled_mm"):
            raise Missing("this PyTorch has no _scaled_mm")
        one, label = torch.ones((), dtype=torch.float32, device="cuda"), "_scaled_mm"
        if s["transposed"][1] == "n":  # cuBLAS takes columns only
            b, label = b.t().contiguous().t(), "_scaled_mm, the second operand turned before"
        kind = self.types[s["result"]]
        return by_one_way(label, lambda: torch._scaled_mm(a, b, scale_a=one, scale_b=one, out_dtype=kind,
                                                          use_fast_accum=s["fast"]), "c")


class Experts(Operation):
    def grouped(self, x, w):
        s = self.sizes
        return (x[self.token_of_row.long()].view(s["groups"], s["m"], s["k"]) @ w).view(-1, s["n"])

    def reference(self):
        return {"y": self.grouped(self.wide("x"), self.wide("w"))}

    def competitor(self):
        return by_one_way("gather and bmm", lambda: self.grouped(self.x, self.w), "y")


class Attention(Operation):
    tolerance = 1e-2

    def over_batch(self):
        """The sequences one by one: scores of all at once would take too much memory."""
        for index in range(self.sizes["batch"]):
            yield [self.tensors[name][index].float() for name in "qkv"]

    def reference(self):
        torch, s, parts = self.torch, self.sizes, []
        for q, k, v in self.over_batch():
            scores = q @ k.transpose(-1, -2) / s["d"] ** 0.5
            if s["causal"]:
                future = torch.ones(scores.shape, dtype=torch.bool, device="cuda").triu(1)
                scores = scores.masked_fill(future, float("-inf"))
            parts.append(torch.softmax(scores, -1) @ v)
        return {"o": torch.stack(parts)}

    def competitor(self):
        torch, s = self.torch, self.sizes
        if not hasattr(torch.nn.functional, "scaled_dot_product_attention"):
            raise Missing("this PyTorch has no scaled_dot_product_attention")
        attend, causal = torch.nn.functional.scaled_dot_product_attention, s["causal"]
        if s["heads"] > 1:
            q, k, v = self.q, *(self.tensors[name][:, None].expand(-1, s["heads"], -1, -1) for name in "kv")
            return by_one_way("SDPA", lambda: attend(q, k, v, is_causal=causal), "o")
        q, k, v = (self.tensors[name][None] for name in "qkv")
        return by_one_way("SDPA", lambda: attend(q, k, v, is_causal=causal)[0], "o")


class AttentionBackward(Operation):
    tolerance = 2e-2

    def parts(self, index):
        """Of one sequence: operands in f32, shares of the keys, and the sum of each output times its gradient."""
        q, k, v, dy = (self.tensors[name][index].float() for name in ("q", "k", "v", "dy"))
        scores = q @ k.transpose(-1, -2) / self.sizes["d"] ** 0.5
        level = self.torch.logsumexp(scores, -1)
        share = self.torch.exp(scores - level[:, None])
        return (q, k, v, dy), share, level, ((share @ v) * dy).sum(-1)

    def derive(self):
        for index in range(self.sizes["batch"]):
            _, _, level, delta = self.parts(index)
            self.level[index] = level * 1.4426950408889634
            self.delta[index] = delta

    def reference(self):
        results = {"dk": [], "dv": []}
        for index in range(self.sizes["batch"]):
            (q, k, v, dy), share, _, delta = self.parts(index)
            slope = share * (dy @ v.transpose(-1, -2) - delta[:, None])
            results["dk"].append(slope.transpose(-1, -2) @ q / self.sizes["d"] ** 0.5)
            results["dv"].append(share.transpose(-1, -2) @ dy)
        return {name: self.torch.stack(parts) for name, parts in results.items()}

    def competitor(self):
        torch = self.torch
        if not hasattr(torch.nn.functional, "scaled_dot_product_attention"):
            raise Missing("this PyTorch has no scaled_dot_product_attention")
        q, k, v = (self.tensors[name][None].detach().requires_grad_(True) for name in "qkv")
        output, gradient = torch.nn.functional.scaled_dot_product_attention(q, k, v), self.dy[None]

        def backward():
            _, dk, dv = torch.autograd.grad(output, (q, k, v), gradient, retain_graph=True)
            return dk[0], dv[0]
        return by_one_way("SDPA backward, queries too", backward, "dk", "dv")


class Softmax(Operation):
    @property
    def tolerance(self):
        return 1e-4 if self.sizes["element"] == "f32" else 4e-3

    def reference(self):
        return {"y": self.torch.softmax(self.wide("x"), -1)}

    def competitor(self):
        return by_one_way("softmax", lambda: self.torch.softmax(self.x, -1), "y")


class SoftmaxBackward(Operation):
    def derive(self):
        self.y.copy_(self.torch.softmax(self.y.float(), -1))

    def reference(self):
        y, dy = self.wide("y"), self.wide("dy")
        return {"dx": y * (dy - (y * dy).sum(-1, keepdim=True))}

    def competitor(self):
        y, dy, way = self.y, self.dy, self.torch.ops.aten._softmax_backward_data
        return by_one_way("_softmax_backward_data", lambda: way(dy, y, -1, y.dtype), "dx")


class LayerNorm(Operation):
    def reference(self):
        x = self.wide("x")
        mean, variance = x.mean(-1), x.var(-1, unbiased=False)
        scale = 1 / (variance + 1e-5).sqrt()
        return {"y": (x - mean[:, None]) * scale[:, None] * self.wide("w") + self.wide("b"), "average": mean, "scale": scale}

    def competitor(self):
        x, w, b, norm = self.x, self.w, self.b, self.torch.native_layer_norm
        return by_one_way("native_layer_norm", lambda: norm(x, [x.shape[-1]], w, b, 1e-5), "y", "average", "scale")


class NormBackward(Operation):
    is_centred = True

    def derive(self):
        x = self.wide("x")
        mean = x.mean(-1) if self.is_centred else 0 * x[:, 0]
        if self.is_centred:
            self.average.copy_(mean)
        self.scale.copy_(1 / (((x - mean[:, None]) ** 2).mean(-1) + 1e-5).sqrt())

    def reference(self):
        x, factor = self.wide("x"), self.wide("scale")[:, None]
        normal = (x - self.wide("average")[:, None] if self.is_centred else x) * factor
        weighted = self.wide("dy") * self.wide("w")
        rest = weighted - normal * (normal * weighted).mean(-1, keepdim=True)
        if self.is_centred:
            rest = rest - weighted.mean(-1, keepdim=True)
        return {"dx": rest * factor}

    def competitor(self):
        torch, x, dy, w = self.torch, self.x, self.dy, self.w
        mean, scale, bias = self.average[:, None], self.scale[:, None], torch.zeros_like(w)
        way = torch.ops.aten.native_layer_norm_backward
        return by_one_way("native_layer_norm_backward", lambda: way(dy, x, [x.shape[-1]], mean, scale, w, bias,
                                                                    [True, False, False])[0], "dx")


class RmsNormBackward(NormBackward):
    is_centred = False

    def competitor(self):
        torch, dy, w = self.torch, self.dy, self.w
        if not hasattr(torch.nn.functional, "rms_norm"):
            raise Missing("this PyTorch has no rms_norm")
        x = self.x.detach().requires_grad_(True)
        y = torch.nn.functional.rms_norm(x, (x.shape[-1],), w, 1e-5)
        return by_one_way("rms_norm's autograd", lambda: torch.autograd.grad(y, x, dy, retain_graph=True)[0], "dx")


class RmsNorm(Operation):
    def reference(self):
        x = self.wide("x")
        return {"y": x / (x * x).mean(-1, keepdim=True).sqrt() * self.wide("w")}

    def competitor(self):
        torch, x, w = self.torch, self.x, self.w
        if not hasattr(torch.nn.functional, "rms_norm"):
            raise Missing("this PyTorch has no rms_norm")
        return by_one_way("rms_norm", lambda: torch.nn.functional.rms_norm(x, (x.shape[-1],), w, 0.0), "y")


class CrossEntropy(Operation):
    tolerance = 1e-4

    def reference(self):
        loss = self.torch.nn.functional.cross_entropy
        return {"loss": loss(self.wide("x"), self.targets.long(), reduction="none")}

    def competitor(self):
        loss, x, targets = self.torch.nn.functional.cross_entropy, self.x, self.targets.long()
        return by_one_way("cross_entropy", lambda: loss(x, targets, reduction="none"), "loss")


class Rotary(Operation):
    def derive(self):
        angles = self.torch.randn(self.cosine.shape, dtype=self.torch.float32, device="cuda")
        self.cosine.copy_(angles.cos())
        self.sine.copy_(angles.sin())

    def turned(self, x, cosine, sine):
        left, right = x[:, :x.shape[1] // 2], x[:, x.shape[1] // 2:]
        return self.torch.cat([left * cosine - right * sine, right * cosine + left * sine], -1)

    def reference(self):
        return {"y": self.turned(*map(self.wide, ("x", "cosine", "sine")))}

    def competitor(self):
        cosine, sine, kind = self.cosine, self.sine, self.x.dtype
        return by_one_way("six operations", lambda: self.turned(self.x, cosine, sine).to(kind), "y")


class GatedGelu(Operation):
    def gated(self, x, bias, gate):
        return self.torch.nn.functional.gelu(x + bias, approximate="tanh") * gate

    def reference(self):
        return {"y": self.gated(*map(self.wide, ("x", "bias", "gate")))}

    def competitor(self):
        return by_one_way("three operations", lambda: self.gated(self.x, self.bias, self.gate), "y")


class CumulativeSum(Operation):
    tolerance = 1e-4

    def reference(self):
        return {"y": self.wide("x").cumsum(-1)}

    def competitor(self):
        return by_one_way("cumsum", lambda: self.torch.cumsum(self.x, -1), "y")


class Embedding(Operation):
    tolerance = 0

    def reference(self):
        return {"y": self.table[self.numbers.long()]}

    def competitor(self):
        way, table, numbers = self.torch.nn.functional.embedding, self.table, self.numbers
        return by_one_way("embedding", lambda: way(numbers, table), "y")


class RowSum(Operation):
    tolerance = 1e-4

    def reference(self):
        return {"y": self.wide("x").sum(-1)}

    def competitor(self):
        return by_one_way("sum", lambda: self.x.sum(-1), "y")


class Copy(Operation):
    tolerance = 0

    def reference(self):
        return {"y": self.x}

    def competitor(self):
        other = self.torch.empty_like(self.y)
        return by_one_way("copy_", lambda: other.copy_(self.x), "y")


class Transpose(Operation):
    tolerance = 0

    def reference(self):
        return {"y": self.x.t()}

    def competitor(self):
        other = self.torch.empty_like(self.y)
        return by_one_way("copy_ of t()", lambda: other.copy_(self.x.t()), "y")


class Add(Operation):
    tolerance = 0

    def reference(self):
        return {"c": self.a + self.b}

    def competitor(self):
        other = self.torch.empty_like(self.c)
        return by_one_way("add", lambda: self.torch.add(self.a, self.b, out=other), "c")


KINDS = {
    "matmul": Matmul, "experts": Experts, "attention": Attention, "attention backward": AttentionBackward, "softmax": Softmax,
    "softmax backward": SoftmaxBackward, "layer norm": LayerNorm, "layer norm backward": NormBackward, "rms norm": RmsNorm,
    "rms norm backward": RmsNormBackward, "cross entropy": CrossEntropy, "rotary": Rotary, "gated gelu": GatedGelu,
    "cumulative sum": CumulativeSum, "embedding": Embedding, "row sum": RowSum, "copy": Copy, "transpose": Transpose, "add": Add,
}


def make(torch, sizes):
    return KINDS[sizes["kind"]](torch, sizes)
