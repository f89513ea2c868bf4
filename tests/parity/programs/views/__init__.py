"""Views: which there are, and what happens when they or their bases are changed."""
