"""What PyTorch's functions take, in its own notation: for the words in which it refuses arguments.

Each line is a name and its signatures as a method, the tensor itself left out. `>` stands for the
`out` that the function of the package has besides, `>>` for several; `int[1]` for a tuple of ints
that may be given as one, `?` for what may be None. In place, a method takes the same.
"""

from __future__ import annotations

_METHODS = """
add: Tensor other, *, Number alpha = 1 >
addcdiv: Tensor tensor1, Tensor tensor2, *, Number value = 1
addcmul: Tensor tensor1, Tensor tensor2, *, Number value = 1
all: > | int[1] dim = None, bool keepdim = False > | int dim, bool keepdim = False >
allclose: Tensor other, float rtol = 1e-05, float atol = 1e-08, bool equal_nan = False
amax: int[1] dim = (), bool keepdim = False
amin: int[1] dim = (), bool keepdim = False
any: > | int[1] dim = None, bool keepdim = False > | int dim, bool keepdim = False >
argmax: int? dim = None, bool keepdim = False
argmin: int? dim = None, bool keepdim = False
argsort: *, bool stable, int dim = -1, bool descending = False > | int dim = -1,
    bool descending = False
as_strided: int[] size, int[] stride, int? storage_offset = None
atan2: Tensor other
bernoulli_: Tensor p, *, torch.Generator generator = None | float p = 0.5, *,
    torch.Generator generator = None
bitwise_and: Tensor other > | Number other >
bitwise_left_shift: Tensor other > | Number other >
bitwise_or: Tensor other > | Number other >
bitwise_right_shift: Tensor other > | Number other >
bitwise_xor: Tensor other > | Number other >
bmm: Tensor mat2
broadcast_to: int[] size
chunk: int chunks, int dim = 0
clamp: Tensor? min = None, Tensor? max = None > | Number? min = None, Number? max = None >
clamp_max: Tensor max > | Number max >
clamp_min: Tensor min > | Number min >
clip: Tensor? min = None, Tensor? max = None > | Number? min = None, Number? max = None >
clone: *, torch.memory_format memory_format = None
contiguous: *, torch.memory_format memory_format = None
copy_: Tensor other, bool non_blocking = False
count_nonzero: int? dim = None | int[] dim
cross: Tensor other, int? dim = None
cummax: int dim
cummin: int dim
cumprod: int dim, *, torch.dtype dtype = None
cumsum: int dim, *, torch.dtype dtype = None
diag: int diagonal = 0
diag_embed: int offset = 0, int dim1 = -2, int dim2 = -1
diagonal: int offset = 0, int dim1 = 0, int dim2 = 1
div: Tensor other > | Tensor other, *, str? rounding_mode > | Number other, *, str? rounding_mode
dot: Tensor tensor
eq: Tensor other > | Number other >
equal: Tensor other
expand: int[] size, *, bool implicit = False
expand_as: Tensor other
fill: Tensor value | Number value
flatten: int start_dim = 0, int end_dim = -1
flip: int[] dims
floor_divide: Tensor other > | Number other
fmax: Tensor other
fmin: Tensor other
fmod: Tensor other > | Number other >
gather: int dim, Tensor index, *, bool sparse_grad = False
ge: Tensor other > | Number other >
ger: Tensor vec2
gt: Tensor other > | Number other >
hsplit: int sections | int[] indices
hypot: Tensor other
index_add: int dim, Tensor index, Tensor source, *, Number alpha = 1
index_copy: int dim, Tensor index, Tensor source
index_fill: int dim, Tensor index, Tensor value | int dim, Tensor index, Number value
index_put: Tensor[] indices, Tensor values, bool accumulate = False
index_select: int dim, Tensor index
inner: Tensor other
is_same_size: Tensor other
isclose: Tensor other, float rtol = 1e-05, float atol = 1e-08, bool equal_nan = False
kron: Tensor other
kthvalue: int k, int dim = -1, bool keepdim = False
le: Tensor other > | Number other >
lerp: Tensor end, Tensor weight > | Tensor end, Number weight >
log_softmax: int dim, torch.dtype dtype = None
logical_and: Tensor other
logical_or: Tensor other
logical_xor: Tensor other
logsumexp: int[1] dim, bool keepdim = False
lt: Tensor other > | Number other >
masked_fill: Tensor mask, Tensor value | Tensor mask, Number value
masked_scatter: Tensor mask, Tensor source
masked_select: Tensor mask
matmul: Tensor other
max: > | Tensor other > | int dim, bool keepdim = False >>
maximum: Tensor other
mean: *, torch.dtype dtype = None > | int[1] dim, bool keepdim = False, *,
    torch.dtype dtype = None >
median: | int dim, bool keepdim = False >>
min: > | Tensor other > | int dim, bool keepdim = False >>
minimum: Tensor other
mm: Tensor mat2
mode: int dim = -1, bool keepdim = False
movedim: int source, int destination | int[] source, int[] destination
mul: Tensor other
mv: Tensor vec
narrow: int dim, Tensor start, int length | int dim, int start, int length
ne: Tensor other > | Number other >
new_empty: int[] size, *, torch.dtype dtype = None, torch.layout layout = None,
    torch.device device = None, bool pin_memory = False, bool requires_grad = False
new_full: int[] size, Number fill_value, *, torch.dtype dtype = None, torch.layout layout = None,
    torch.device device = None, bool pin_memory = False, bool requires_grad = False
new_ones: int[] size, *, torch.dtype dtype = None, torch.layout layout = None,
    torch.device device = None, bool pin_memory = False, bool requires_grad = False
new_zeros: int[] size, *, torch.dtype dtype = None, torch.layout layout = None,
    torch.device device = None, bool pin_memory = False, bool requires_grad = False
outer: Tensor vec2
permute: int[] dims
pow: Tensor exponent > | Number exponent >
prod: *, torch.dtype dtype = None | int dim, bool keepdim = False, *, torch.dtype dtype = None >
put: Tensor index, Tensor source, bool accumulate = False
remainder: Tensor other > | Number other >
repeat: int[] repeats
repeat_interleave: Tensor repeats, int? dim = None, *, int output_size = None | int repeats,
    int? dim = None, *, int output_size = None
reshape: int[] shape
reshape_as: Tensor other
resize_: int[] size, *, torch.memory_format memory_format = None
round: *, int decimals = 0 >
roll: int[1] shifts, int[1] dims = ()
scatter: int dim, Tensor index, Tensor src > | int dim, Tensor index, Tensor src, *,
    str reduce > | int dim, Tensor index, Number value > | int dim, Tensor index, Number value, *,
    str reduce >
scatter_add: int dim, Tensor index, Tensor src
scatter_reduce: int dim, Tensor index, Tensor src, str reduce, *, bool include_self = True
select: int dim, int index
softmax: int dim, torch.dtype dtype = None
sort: *, bool stable, int dim = -1, bool descending = False >> | int dim = -1,
    bool descending = False >>
split_with_sizes: int[] split_sizes, int dim = 0
squeeze: | int dim | int[] dim
std: int[1]? dim, bool unbiased = True, bool keepdim = False > | int[1]? dim = None, *,
    Number? correction = None, bool keepdim = False > | bool unbiased = True
std_mean: int[1]? dim, bool unbiased = True, bool keepdim = False | int[1]? dim = None, *,
    Number? correction = None, bool keepdim = False | bool unbiased = True
sub: Tensor other, *, Number alpha = 1 >
sum: *, torch.dtype dtype = None | int[1]? dim, bool keepdim = False, *, torch.dtype dtype = None >
swapaxes: int axis0, int axis1
take: Tensor index
take_along_dim: Tensor indices, int? dim = None
tensor_split: int[] indices, int dim = 0 | Tensor tensor_indices_or_sections, int dim = 0 |
    int sections, int dim = 0
tile: int[] dims
topk: int k, int dim = -1, bool largest = True, bool sorted = True
transpose: int dim0, int dim1
tril: int diagonal = 0
triu: int diagonal = 0
unbind: int dim = 0
unflatten: int dim, int[] sizes
unsqueeze: int dim
var: int[1]? dim, bool unbiased = True, bool keepdim = False > | int[1]? dim = None, *,
    Number? correction = None, bool keepdim = False > | bool unbiased = True
var_mean: int[1]? dim, bool unbiased = True, bool keepdim = False | int[1]? dim = None, *,
    Number? correction = None, bool keepdim = False | bool unbiased = True
view: torch.dtype dtype | int[] size
view_as: Tensor other
vsplit: int sections | int[] indices
where: Tensor condition, Tensor other | Tensor condition, Number other
xlogy: Tensor other > | Number other >
"""
# Functions of the package whose signatures are not those of the method with a tensor before them.
_FUNCTIONS = """
cat: Tensor[] tensors, int dim = 0
hstack: Tensor[] tensors
stack: Tensor[] tensors, int dim = 0
vstack: Tensor[] tensors
where: Tensor condition | Tensor condition, Tensor input, Tensor other > | Tensor condition,
    Number self, Tensor other | Tensor condition, Tensor input, Number other | Tensor condition,
    Number self, Number other
bitwise_and: Tensor input, Tensor other > | Number self, Tensor other | Tensor input, Number other >
bitwise_left_shift: Tensor input, Tensor other > | Number self, Tensor other | Tensor input,
    Number other >
bitwise_or: Tensor input, Tensor other > | Number self, Tensor other | Tensor input, Number other >
bitwise_right_shift: Tensor input, Tensor other > | Number self, Tensor other | Tensor input,
    Number other >
bitwise_xor: Tensor input, Tensor other > | Number self, Tensor other | Tensor input, Number other >
pow: Tensor input, Tensor exponent > | Number self, Tensor exponent > | Tensor input,
    Number exponent >
remainder: Tensor input, Tensor other > | Number self, Tensor other | Tensor input, Number other >
xlogy: Tensor input, Tensor other > | Number self, Tensor other > | Tensor input, Number other >
"""
_OUT = {">": "Tensor out = None", ">>": "tuple of Tensors out = None"}


def _read(text: str) -> dict[str, list[str]]:
    table = {}
    for line in text.replace("\n    ", " ").split("\n"):
        name, colon, signatures = line.partition(":")
        if colon:
            table[name] = [each.strip() for each in signatures.split("|")]
    return table


def signatures_of(name: str, method: bool) -> list[str] | None:
    """Return the signatures of a method, or of the function of the package; None if unknown."""
    methods, functions = _read(_METHODS), _read(_FUNCTIONS)
    if not method and name in functions:
        return [_with_out(each) for each in functions[name]]
    found = methods.get(name) or methods.get(name.removesuffix("_"))
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
