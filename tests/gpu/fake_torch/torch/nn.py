"""torch.nn.functional, what is needed of it."""

import types

import numpy

from .tensor import Tensor, array_of


def gelu(x, approximate):
    assert approximate == "tanh"
    values = x.array().astype(numpy.float64)
    inner = (2 / numpy.pi) ** 0.5 * (values + 0.044715 * values ** 3)
    return Tensor((values / 2 * (1 + numpy.tanh(inner))).astype(x.dtype))


def cross_entropy(x, targets, reduction):
    assert reduction == "none"
    values = x.array()
    top = values.max(axis=1, keepdims=True)
    level = numpy.log(numpy.exp(values - top).sum(axis=1)) + top[:, 0]
    return Tensor(level - values[numpy.arange(len(values)), array_of(targets)])


def embedding(numbers, table):
    return table[numbers]


def scaled_dot_product_attention(q, k, v, is_causal=False):
    queries, keys, values = (array_of(tensor).astype(numpy.float64) for tensor in (q, k, v))
    scores = queries @ keys.swapaxes(-1, -2) / queries.shape[-1] ** 0.5
    if is_causal:
        scores = numpy.where(numpy.tril(numpy.ones(scores.shape[-2:], bool)), scores, -numpy.inf)
    powers = numpy.exp(scores - scores.max(axis=-1, keepdims=True))
    shares = powers / powers.sum(axis=-1, keepdims=True)
    result = Tensor((shares @ values).astype(q.dtype))
    result.backward = lambda gradient: attention_backward(shares, queries, keys, values, gradient)
    return result


def attention_backward(shares, queries, keys, values, gradient):
    """The gradients of queries, keys and values."""
    dy, root = gradient.array().astype(numpy.float64), queries.shape[-1] ** 0.5
    of_shares = dy @ values.swapaxes(-1, -2)
    slope = shares * (of_shares - (shares * of_shares).sum(axis=-1, keepdims=True)) / root
    parts = (slope @ keys, slope.swapaxes(-1, -2) @ queries, shares.swapaxes(-1, -2) @ dy)
    return [Tensor(part.astype(gradient.dtype)) for part in parts]


functional = types.SimpleNamespace(gelu=gelu, cross_entropy=cross_entropy, embedding=embedding,
                                   scaled_dot_product_attention=scaled_dot_product_attention)
