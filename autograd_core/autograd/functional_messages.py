"""PyTorch's error messages for `autograd.functional`."""

_STRICT = " This is not allowed in strict mode."
_WITH_GRAPH = " This is not allowed in strict mode when create_graph=True."
_PREFIX = "torch.autograd.functional.jacobian: "

V_NEEDED_OUTPUT = (
    "The vector v can only be None if the user-provided function returns a single Tensor with a "
    "single element."
)
V_NEEDED_INPUT = (
    "The vector v can only be None if the input to the user-provided function is a single Tensor "
    "with a single element."
)

# In strict mode, the number is that of the input or output concerned.
OUTPUTS = (
    "Output {} of the user-provided function does not require gradients. The outputs must be "
    "computed in a differentiable manner from the input when running in strict mode."
)
OUTPUT = "The output of the user-provided function is independent of input {}." + _STRICT
GRAD_INPUTS = (
    "The gradient with respect to input {} is independent of the inputs of the user-provided "
    "function." + _STRICT
)
GRADIENT = (
    "While computing the hessian, found that the jacobian of the user-provided function with "
    "respect to input {} is independent of the input. This is not allowed in strict mode. You "
    "should ensure that your function is twice differentiable and that the jacobian depends on the "
    "inputs (this would be violated by a linear function for example)."
)
TRICK = (
    "The gradient with respect to the input is independent of entry {} in the grad_outputs when "
    "using the double backward trick to compute forward mode gradients." + _STRICT
)
SECOND = "The jacobian of the user-provided function is independent of input {}." + _STRICT
SECOND_TRICK = (
    "The hessian of the user-provided function is independent of entry {} in the grad_jacobian. "
    "This is not allowed in strict mode as it prevents from using the double backward trick to "
    "replace forward mode AD."
)
JACOBIAN = "The jacobian of the user-provided function is independent of input {}." + _WITH_GRAPH
HESSIAN = "The hessian of the user-provided function is independent of input {}." + _WITH_GRAPH
INDEPENDENT = "Output {} of the user-provided function is independent of input {}." + _STRICT

OUTER_STRATEGY = 'Expected strategy to be either "forward-mode" or "reverse-mode".'
STRATEGY = OUTER_STRATEGY + (
    ' Hint: If your function has more outputs than inputs, "forward-mode" tends to be more '
    'performant. Otherwise, prefer to use "reverse-mode".'
)
STRICT_VECTORIZED = (
    _PREFIX + "`strict=True` and `vectorized=True` are not supported together. Please either set "
    "`strict=False` or `vectorize=False`."
)
FORWARD_WITH = (
    _PREFIX + '`{0}=True` and `strategy="forward-mode"` are not supported together (yet). '
    'Please either set `{0}=False` or `strategy="reverse-mode"`.'
)
FORWARD_NOT_VECTORIZED = (
    "Computing Jacobian using forward-AD or forward-over-reverse Hessian isonly implemented for "
    "`vectorize=True`."
)
