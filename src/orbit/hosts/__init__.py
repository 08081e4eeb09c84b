"""Agent hosts: what is installed in them, what a hook prints, which commands run unasked."""
