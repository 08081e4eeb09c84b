"""What is known of a repository: briefs, cards, staleness, jots, and the blocks a model reads."""
