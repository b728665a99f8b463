"""Personal invitations: from a list of people to a link that opens one interview.

reading     a file of people, line by line
making      the rows, with a participant each
keys        the secrets of links, of which only hashes are stored
states      how far an invitation has come
entering    a link's secret for a cookie, and where to go then
letters     who may be written to; the letters that are wished for
reminding   the reminders that nobody has to think of
changing    revoking and extending
forgetting  what goes when somebody withdraws, or when an invitation is deleted
codes       a link as a QR code
"""
