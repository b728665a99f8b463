"""What a model prepares for a bot's topics, ahead of every interview.

    asking   what the model is asked, and what of its answer is kept
    making   how one is made in the background
    wishes   when one is wished for, made again, or written by a person

A bot is whole without it: interviews that begin before it is there, or when it failed, do without.
"""
