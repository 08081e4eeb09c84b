"""Everything orbit says on stderr besides errors, one module for each thing that it speaks about."""
