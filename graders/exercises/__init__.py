"""The exercises, one a file; each file has one `EXERCISE`. See `graders/README.md`."""
