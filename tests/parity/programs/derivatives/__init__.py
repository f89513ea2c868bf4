"""Derivatives of higher order, and derivatives held against finite differences."""
