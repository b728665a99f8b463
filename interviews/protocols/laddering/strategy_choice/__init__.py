"""Which strategy goes on at which node, and why.

weights     a strategy's weights, read once so that every pair is quick
preferring  which candidates a strategy prefers
scoring     all pairs of strategy and candidate -> their scores, by columns
choosing    the best pair, and a table of the best with the reasons
"""
