"""What the project ships to begin with: at least one bot of each kind, and what they rest on."""
