"""Operators: values, gradients, dtypes, shapes."""
