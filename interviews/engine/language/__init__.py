"""Reading words without a model: wishes, intents, distress, writing systems."""
