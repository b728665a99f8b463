"""Experts read a whole interview, each with their own eyes, and say what it rests on."""
