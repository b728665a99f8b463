"""Difficult people, played against every protocol in this process, into Markdown to be read."""
