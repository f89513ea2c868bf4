"""The signatures of PyTorch's functions in its own notation, for errors about wrong arguments.

Each line has names, and their signatures as methods, without the tensor itself. `>` stands for the
`out` that the function of the package has too, `>>` for several; `int[1]` for a tuple of ints that
may be given as one int, `?` for an argument that may be None; `...` and `=dtype` abbreviate
options. In-place methods take the same arguments.
"""

from __future__ import annotations

_METHODS = """
add, sub: Tensor other, *, Number alpha = 1 >
addmm: Tensor mat1, Tensor mat2, *, Number beta = 1, Number alpha = 1
addcdiv, addcmul: Tensor tensor1, Tensor tensor2, *, Number value = 1 >
all, any: > | int[1] dim = None, bool keepdim = False > | int dim, bool keepdim = False >
allclose, isclose: Tensor other, float rtol = 1e-05, float atol = 1e-08, bool equal_nan = False
amax, amin: int[1] dim = (), bool keepdim = False >
aminmax: *, int? dim = None, bool keepdim = False >>
argmax, argmin: int? dim = None, bool keepdim = False >
argsort: *, bool stable, int dim = -1, bool descending = False > | int dim = -1,
    bool descending = False
as_strided: int[] size, int[] stride, int? storage_offset = None
arctan2, atan2, fmax, fmin, hypot, inner, kron, logical_and, logical_or, logical_xor, matmul,
    maximum, minimum, mul: Tensor other >
baddbmm: Tensor batch1, Tensor batch2, *, Number beta = 1, Number alpha = 1
bernoulli: *, =generator | float p, *, =generator
bernoulli_: Tensor p, *, =generator | float p = 0.5, *, =generator
bitwise_and, bitwise_left_shift, bitwise_or, bitwise_right_shift, bitwise_xor, eq, fmod, ge,
    greater, greater_equal, gt, le, less, less_equal, lt, ne, not_equal, remainder, xlogy:
    Tensor other > | Number other >
bmm, mm: Tensor mat2
bool, byte, char, clone, contiguous, cpu, double, float, half, int, long, short: *, =memory_format
broadcast_to, sum_to_size: int[] size
chunk, unsafe_chunk: int chunks, int dim = 0
clamp, clip: Tensor? min = None, Tensor? max = None > | Number? min = None, Number? max = None >
clamp_max: Tensor max > | Number max >
clamp_min: Tensor min > | Number min >
copy_: Tensor other, bool non_blocking = False
count_nonzero: int? dim = None | int[] dim
cross: Tensor other, int? dim = None >
cummax, cummin: int dim >>
cumprod, cumsum: int dim, *, =dtype >
diag, tril, triu: int diagonal = 0 >
diag_embed: int offset = 0, int dim1 = -2, int dim2 = -1
diagonal: int offset = 0, int dim1 = 0, int dim2 = 1
equal, expand_as, is_same_size, reshape_as, view_as: Tensor other
divide: Tensor other > | Tensor other, *, str rounding_mode > | Number other | Number other, *,
    str rounding_mode
div: Tensor other > | Tensor other, *, str? rounding_mode > | Number other, *, str? rounding_mode
dist: Tensor other, Number p = 2
dot: Tensor tensor >
expand: int[] size, *, bool implicit = False
exponential_: float lambd = 1, *, =generator
fill: Tensor value | Number value
flatten: int start_dim = 0, int end_dim = -1
flip, permute, tile: int[] dims
gather: int dim, Tensor index, *, bool sparse_grad = False >
ger, outer: Tensor vec2 >
hsplit, vsplit: int sections | int[] indices
index_add: int dim, Tensor index, Tensor source, *, Number alpha = 1 >
index_copy: int dim, Tensor index, Tensor source >
index_fill: int dim, Tensor index, Tensor value | int dim, Tensor index, Number value
index_put: Tensor[] indices, Tensor values, bool accumulate = False
index_select: int dim, Tensor index >
is_set_to: Tensor tensor
kthvalue: int k, int dim = -1, bool keepdim = False >>
lerp: Tensor end, Tensor weight > | Tensor end, Number weight >
linear: Tensor weight, Tensor? bias = None
log_softmax, softmax: int dim, =dtype >
logsumexp: int[1] dim, bool keepdim = False >
masked_fill: Tensor mask, Tensor value | Tensor mask, Number value
masked_scatter: Tensor mask, Tensor source
masked_select: Tensor mask >
max, min: > | Tensor other > | int dim, bool keepdim = False >>
mean: *, =dtype > | int[1]? dim, bool keepdim = False, *, =dtype >
median: | int dim, bool keepdim = False >>
mode: int dim = -1, bool keepdim = False >>
moveaxis, movedim: int source, int destination | int[] source, int[] destination
floor_divide, multiply, true_divide: Tensor other > | Number other
mv: Tensor vec >
narrow: int dim, Tensor start, int length | int dim, int start, int length
new_empty, new_ones, new_zeros: int[] size, *, ...
new_full: int[] size, Number fill_value, *, ...
nonzero: | *, bool as_tuple
normal_: float mean = 0, float std = 1, *, =generator
pow: Tensor exponent > | Number exponent >
prod: *, =dtype | int dim, bool keepdim = False, *, =dtype >
put: Tensor index, Tensor source, bool accumulate = False
random_: *, =generator | int from, int to, *, =generator | int to, *, =generator
repeat: int[] repeats
repeat_interleave: Tensor repeats, int? dim = None, *, int? output_size = None | int repeats,
    int? dim = None, *, int? output_size = None
reshape: int[] shape
resize_as_: Tensor the_template, *, =memory_format
resize_: int[] size, *, =memory_format
round: > | *, int decimals >
roll: int[1] shifts, int[1] dims = ()
scatter: int dim, Tensor index, Tensor src > | int dim, Tensor index, Tensor src, *, str reduce > |
    int dim, Tensor index, Number value > | int dim, Tensor index, Number value, *, str reduce >
scatter_add: int dim, Tensor index, Tensor src >
scatter_reduce: int dim, Tensor index, Tensor src, str reduce, *, bool include_self = True >
select: int dim, int index
set_: | torch.Storage source | torch.Storage source, int storage_offset, int[] size,
    int[] stride = None | Tensor source | Tensor source, int storage_offset, int[] size,
    int[] stride = None
sort: *, bool stable, int dim = -1, bool descending = False >> | int dim = -1,
    bool descending = False >>
split_with_sizes, unsafe_split_with_sizes: int[] split_sizes, int dim = 0
squeeze: | int dim | int[] dim
std, var: int[1]? dim, bool unbiased = True, bool keepdim = False > | int[1]? dim = None, *,
    Number? correction = None, bool keepdim = False > | bool unbiased = True
std_mean, var_mean: int[1]? dim, bool unbiased = True, bool keepdim = False | int[1]? dim = None, *,
    Number? correction = None, bool keepdim = False | bool unbiased = True
subtract: Tensor other, *, Number alpha = 1 > | Number other, Number alpha = 1
sum: *, =dtype | int[1]? dim, bool keepdim = False, *, =dtype >
swapaxes: int axis0, int axis1
swapdims, transpose: int dim0, int dim1
take: Tensor index >
take_along_dim: Tensor indices, int? dim = None >
tensor_split: int[] indices, int dim = 0 | Tensor tensor_indices_or_sections, int dim = 0 |
    int sections, int dim = 0
to: torch.device device = None, =dtype, bool non_blocking = False, bool copy = False, *,
    =memory_format | torch.dtype dtype, bool non_blocking = False, bool copy = False, *,
    =memory_format | Tensor tensor, bool non_blocking = False, bool copy = False, *, =memory_format
topk: int k, int dim = -1, bool largest = True, bool sorted = True >>
unbind: int dim = 0
unsqueeze: int dim
uniform_: float from = 0, float to = 1, *, =generator
unflatten: int dim, int[] sizes
unsafe_split: int split_size, int dim = 0
view: torch.dtype dtype | int[] size
where: Tensor condition, Tensor other | Tensor condition, Number other
"""
# Functions of the package whose signatures are not just `Tensor input` and the method's.
_FUNCTIONS = """
addmm: Tensor input, Tensor mat1, Tensor mat2, *, Number beta = 1, Number alpha = 1 > |
    Tensor input, Tensor mat1, Tensor mat2, torch.dtype out_dtype, *, Number beta = 1,
    Number alpha = 1 >
arange: Number end, *, =out, ... | Number start, Number end, *, ... | Number start, Number end,
    Number step = 1, *, =out, ...
atleast_1d, atleast_2d: Tensor input | Tensor[] tensors
baddbmm: Tensor input, Tensor batch1, Tensor batch2, *, Number beta = 1, Number alpha = 1 > |
    Tensor input, Tensor batch1, Tensor batch2, torch.dtype out_dtype, *, Number beta = 1,
    Number alpha = 1 >
batch_norm: Tensor input, running_mean, running_var, Tensor? weight = None, Tensor? bias = None,
    bool training = False, float momentum = 0.1, float eps = 1e-05
bernoulli: Tensor input, *, =generator > | Tensor input, float p, *, =generator
bmm, mm: Tensor input, Tensor mat2 > | Tensor input, Tensor mat2, torch.dtype out_dtype >
can_cast: torch.dtype from_, torch.dtype to
cat, concat, concatenate, stack: Tensor[] tensors, int dim = 0 >
celu, elu: Tensor input, Number alpha = 1
cosine_similarity: Tensor x1, Tensor x2, int dim = 1, float eps = 1e-08
empty: int[] size, *, =memory_format, =out, ...
empty_like, ones_like, zeros_like: Tensor input, *, =memory_format, ...
empty_strided: int[] size, int[] stride, *, ...
eye: int n, *, =out, ... | int n, int m, *, =out, ...
full: int[] size, Number fill_value, *, =out, ...
full_like: Tensor input, Number fill_value, *, =memory_format, ...
gelu: Tensor input, *, str approximate = none
hardtanh: Tensor input, Number min_val = -1, Number max_val = 1
hstack, row_stack, vstack: Tensor[] tensors >
where: Tensor condition | Tensor condition, Tensor input, Tensor other > | Tensor condition,
    Number self, Tensor other | Tensor condition, Tensor input, Number other | Tensor condition,
    Number self, Number other
bitwise_and, bitwise_left_shift, bitwise_or, bitwise_right_shift, bitwise_xor, remainder:
    Tensor input, Tensor other > | Number self, Tensor other | Tensor input, Number other >
isin: Tensor elements, Tensor test_elements, *, bool assume_unique = False, bool invert = False > |
    Number element, Tensor test_elements, *, bool assume_unique = False, bool invert = False > |
    Tensor elements, Number test_element, *, bool assume_unique = False, bool invert = False >
layer_norm: Tensor input, int[] normalized_shape, Tensor? weight = None, Tensor? bias = None,
    float eps = 1e-05
leaky_relu: Tensor input, Number negative_slope = 0.01
linalg_cross: Tensor input, Tensor other, *, int dim = -1 >
linalg_matmul: Tensor input, Tensor other >
linalg_norm: Tensor input, Number? ord = None, int[1] dim = None, bool keepdim = False, *, =dtype >
    | Tensor input, str ord, int[1] dim = None, bool keepdim = False, *, =dtype >
linalg_vector_norm: Tensor input, Number ord = 2, int[1] dim = None, bool keepdim = False, *,
    =dtype >
linspace: Tensor start, Tensor end, int steps, *, =out, ... | Number start, Tensor end, int steps,
    *, =out, ... | Tensor start, Number end, int steps, *, =out, ... | Number start, Number end,
    int steps, *, =out, ...
logspace: Tensor start, Tensor end, int steps, float base = 10.0, *, =out, ... | Number start,
    Tensor end, int steps, float base = 10.0, *, =out, ... | Tensor start, Number end, int steps,
    float base = 10.0, *, =out, ... | Number start, Number end, int steps, float base = 10.0, *,
    =out, ...
new: *, torch.device device = None | torch.Storage storage | Tensor other | int[] size, *,
    torch.device device = None | object data, *, torch.device device = None
nonzero: Tensor input, *, bool as_tuple = False >
normal: Tensor mean, Tensor std, *, =generator > | Tensor mean, float std = 1, *, =generator > |
    float mean, Tensor std, *, =generator > | float mean, float std, int[] size, *, =generator,
    =out, ...
one_hot: Tensor input, int num_classes = -1
ones, zeros: int[] size, *, =out, ...
pad: Tensor input, int[] pad, mode = constant, float? value = None
pow: Tensor input, Tensor exponent > | Number self, Tensor exponent > | Tensor input,
    Number exponent >
randint: int high, int[] size, *, torch.Generator generator, =out, ... | int high, int[] size, *,
    =out, ... | int low, int high, int[] size, *, torch.Generator generator, =out, ... | int low,
    int high, int[] size, *, =out, ...
promote_types: torch.dtype type1, torch.dtype type2
rand, randn: int[] size, *, torch.Generator generator, =out, ... | int[] size, *, =out, ...
rand_like, randn_like: Tensor input, *, torch.Generator generator, =memory_format, ... |
    Tensor input, *, =memory_format, ...
randint_like: Tensor input, int low, int high, *, torch.Generator generator, =memory_format, ... |
    Tensor input, int low, int high, *, =memory_format, ... | Tensor input, Tensor high, *,
    torch.Generator generator, =memory_format, ... | Tensor input, Tensor high, *, =memory_format,
    ... | Tensor input, int high, *, torch.Generator generator, =memory_format, ... | Tensor input,
    int high, *, =memory_format, ...
randperm: int n, *, torch.Generator generator, =out, ... | int n, *, =out, ...
repeat_interleave: Tensor input, Tensor repeats, int? dim = None, *, int? output_size = None |
    Tensor repeats, *, int? output_size = None | Tensor input, int repeats, int? dim = None, *,
    int? output_size = None
result_type: Tensor tensor, Tensor other | Number scalar, Tensor tensor | Tensor tensor,
    Number other | Number scalar1, Number scalar2
rsub: Tensor input, Tensor other, *, Number alpha = 1 | Tensor input, Number other, Number alpha = 1
scalar_tensor: Number s, *, ...
softplus: Tensor input, Number beta = 1, Number threshold = 20
xlogy: Tensor input, Tensor other > | Number self, Tensor other > | Tensor input, Number other >
"""
# The abbreviations in these tables: options of functions that make tensors, and of many others.
_SHORT = {
    "...": "=dtype, torch.layout layout = None, torch.device device = None, "
    "bool pin_memory = False, bool requires_grad = False",
    "=dtype": "torch.dtype dtype = None",
    "=generator": "torch.Generator generator = None",
    "=memory_format": "torch.memory_format memory_format = None",
    "=out": "Tensor out = None",
}
_OUT = {">": "Tensor out = None", ">>": "Tensor[] out = None"}


def _read(text: str) -> dict[str, list[str]]:
    for short, whole in _SHORT.items():
        text = text.replace(short, whole)
    table = {}
    for line in text.replace("\n    ", " ").strip().split("\n"):
        names, _, signatures = line.partition(":")
        listed = [each.strip() for each in signatures.split("|")]
        table.update(dict.fromkeys(names.split(", "), listed))
    return table


_OF_METHODS, _OF_FUNCTIONS = _read(_METHODS), _read(_FUNCTIONS)


def signatures_of(name: str, method: bool) -> list[str] | None:
    """Return the signatures of a method, or of the function of the package; None if unknown."""
    found = None if method else _OF_FUNCTIONS.get(name) or _OF_FUNCTIONS.get(name.removesuffix("_"))
    if found is not None:
        return [_with_out(each) for each in found]
    found = _OF_METHODS.get(name) or _OF_METHODS.get(name.removesuffix("_"))
    if found is None:
        return None
    if method:
        return [each.rstrip("> ") for each in found]
    if name.endswith("_"):
        found = [each.rstrip("> ") for each in found]
    first = ["Tensor input" if each[:1] in ("", ">") else "Tensor input, " for each in found]
    return [_with_out(f"{one}{each}") for one, each in zip(first, found, strict=True)]


def _with_out(signature: str) -> str:
    parts = signature.rstrip("> ")
    mark = signature[len(parts) :].strip()
    if not mark:
        return parts
    return f"{parts}, {'' if '*' in parts else '*, '}{_OUT[mark]}"
