"""What functions take as arguments, and what they say of others."""
