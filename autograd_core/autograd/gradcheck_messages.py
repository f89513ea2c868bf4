"""PyTorch's error messages for `gradcheck`."""

NOT_DOUBLE = (
    "Input #{} requires gradient and is not a double precision floating point or complex. This "
    "check will likely fail if all the inputs are not of double precision floating point or "
    "complex. "
)
OVERLAP = (
    "The {}th input has a dimension with stride 0. gradcheck only supports inputs that are "
    "non-overlapping to be able to compute the numerical gradients correctly. You should call "
    ".contiguous on the input before passing it to gradcheck."
)
NOTHING_TO_CHECK = (
    "gradcheck expects at least one input tensor to require gradient, but none of them have "
    "requires_grad=True."
)
_WORKAROUNDS = """\
If the test
- manually invokes gradcheck/gradgradcheck, then call gradcheck/gradgradcheck
  with `{0}` as a keyword argument.
- is OpInfo-based (e.g., in test_ops_gradients.py), then modify the OpInfo for the test
  to have `gradcheck_{0}`{1}
- is a Module test (e.g., in common_nn.py), then modify the corresponding
  module_test entry to have `gradcheck_{0}`"""
NOT_ZERO = "Numerical gradient for function expected to be zero"
NOT_REENTRANT = f"""\
Backward is not reentrant, i.e., running backward with \
same input and grad_output multiple times gives different values, \
although analytical gradient matches numerical gradient.\
The tolerance for nondeterminism was {{}}.

NOTE: If your op relies on non-deterministic operations i.e., it is listed here:
https://pytorch.org/docs/stable/generated/torch.use_deterministic_algorithms.html
this failure might be expected.

If you are adding a new operator, please file an issue and then use one of the
workarounds. The workaround depends on how your test invokes gradcheck/gradgradcheck.
{_WORKAROUNDS.format("nondet_tol=<tol>", ".")}
"""
PRIVATE = (
    "`{}` was part of PyTorch's private API and not meant to be exposed. We are deprecating it and "
    "it will be removed in a future version of PyTorch. If you have a specific use for this or "
    "feature request for this to be a stable API, please file us an issue at "
    "https://github.com/pytorch/pytorch/issues/new"
)
GRAD_OUT = "Expected grad_out to be 1.0. {} no longer supports values of grad_out != 1.0."
UNDEFINED_IS_NEW = (
    "Backwards compatibility: New undefined gradient support checking feature is enabled by "
    "default, but it may break existing callers of this function. If this is true for you, you can "
    'call this function with "check_undefined_grad=False" to disable the feature'
)
UNDEFINED_UNHANDLED = (
    "Expected backward function to handle undefined output grads. Please look at "
    '"Notes about undefined output gradients" in "tools/autograd/derivatives.yaml"'
)
UNDEFINED_NOT_ZERO = (
    "Expected all input grads to be undefined or zero when all output grads are undefined or zero. "
    'Please look at "Notes about undefined output gradients" in "tools/autograd/derivatives.yaml"'
)
SLOW = """
The above quantities relating the numerical and analytical jacobians are computed \n\
in fast mode. See: https://github.com/pytorch/pytorch/issues/53876 for more background \n\
about fast mode. Below, we recompute numerical and analytical jacobians in slow mode:

Numerical:
 {}
Analytical:
{}

The max per-element difference (slow mode) is: {}.
"""
SLOW_AGREES = f"""\
Fast gradcheck failed but element-wise differences are small. This means that the
test might've passed in slow_mode!

If you are adding a new operator, please file an issue and then use one of the
workarounds. The workaround depends on how your test invokes gradcheck/gradgradcheck:

{_WORKAROUNDS.format("fast_mode=False", "")}"""

MISMATCH = (
    "Jacobian {}mismatch for output {} with respect to input {},\nnumerical:{}\nanalytical:{}\n"
)
PERTURBED = (
    "Expected `func` to return outputs with the same {0} when inputs are perturbed {1}by {2}, but "
    "got: {0}s {3} and {4}."
)
