"""Personal invitations: from a list of people to a link that opens one interview."""
