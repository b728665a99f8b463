"""Many interviews of a bot, worked through at one request.

offers     what can be made of which interviews, and what somebody chooses
estimates  what that will take
requests   the batch begins, its products are requested
progress   how far it is
spent      what it has cost so far
"""
