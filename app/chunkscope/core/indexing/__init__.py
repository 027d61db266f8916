"""From files to a searchable workspace: load, cut, embed what is new, commit each document."""
