"""The operators, by kind. Each is a `Function` with forward, backward and formula side by side."""
