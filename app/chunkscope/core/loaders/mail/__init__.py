"""E-mail messages and mailboxes."""
