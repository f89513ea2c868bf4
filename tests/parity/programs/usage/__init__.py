"""Programs as people write them."""
