"""Agent hosts: what each says and expects, when a block is sent, and the one integration tree. Contract: hosts.md."""
