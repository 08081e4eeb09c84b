"""The only door to git: processes, files read without a process, and named questions on top."""
