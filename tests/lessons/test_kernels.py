"""Kernels of tests take no ports, which another process could have taken meanwhile."""

import os

import nbformat
import pytest
from nbval import kernel as kernels_of_nbval

from tests.lessons.notebooks import plain_text, run

pytestmark = pytest.mark.skipif(os.name == "nt", reason="its sockets are no files")

TRANSPORT = "from ipykernel.kernelapp import IPKernelApp\nprint(IPKernelApp.instance().transport)"


def test_a_notebook_that_a_test_runs():
    cell = nbformat.v4.new_code_cell(TRANSPORT)
    (ran,) = run(nbformat.v4.new_notebook(cells=[cell])).cells
    assert plain_text(ran) == "ipc\n"


def test_a_notebook_that_is_a_test():
    assert kernels_of_nbval.KernelManager().transport == "ipc"
