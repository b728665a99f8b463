"""Who may see and do what: secrets, links, origin, sealed words, rate limits."""
