"""What a person can do: one function an action, each takes the window that it acts on."""
