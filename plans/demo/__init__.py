"""What the project ships to begin with: life stories with their scripts, and topic explorations."""
