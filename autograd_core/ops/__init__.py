"""The operators: one idea in a file, forward and backward side by side, the functions below them.

Their base classes are in `operator`; those to which PyTorch gives no derivative are
`not_differentiable`.

- element by element: `arithmetic`, `power`, `division`, `functions`, `transcendentals`,
  `activations`, `piecewise`, `pairwise`, `ternary`; without a gradient `comparison`
- many numbers to fewer: `reductions`, `extremes`, `variance`, `norms`, `losses`, `pair_losses`
- along a dimension: `softmax`, `normalization`, `cumulative`, `sorting`
- products: `matrix_products`, `matmul`, `products`, `einsum`; `blocks` cuts large ones
- views: `shape`, `dimensions`, `splitting`, `diagonals`, `strided`
- copies: `copying`, `conversion`, `joining`
- at indices and masks: `index_parts` says what an index means; `indexing`, `index_put`,
  `index_select`, `scattering`, `placing`
- in place: `in_place` makes in-place operators of all others, `in_turn` is for memory that they
  also read; `in_place_arithmetic`, `in_place_views`, `random_fills`
- shared: `elementwise`, `quiet`, `rounding`, `into_memory`, `order_in_memory`, `resizing`, `dims`,
  `ties`, `making`, and `reusing` for the memory of gradients; `out` is for `out=`
"""
