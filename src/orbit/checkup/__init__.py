"""Is everything in order: one finding per check, and the harmless repairs. Contract: commands.md, doctor."""
