"""Agent hosts: what each says and takes, what runs unasked, and the one integration tree. Contract: hosts.md."""
