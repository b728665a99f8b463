"""The JSON API of the chat."""
