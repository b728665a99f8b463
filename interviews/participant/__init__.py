"""The participant's pages, websockets and voice."""
