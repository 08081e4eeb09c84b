"""The command line face: words in, words out."""
