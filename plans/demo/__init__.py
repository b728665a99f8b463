"""What the project ships to begin with: life stories, topic explorations, assessments."""
