"""The codes of a bot's interviews: stored once, used by matrix, map and every export.

An interview that has ended is coded by what its nodes say; a person corrects that, step by step.
"""
