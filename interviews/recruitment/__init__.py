"""How people come to an interview: start page, eligibility, consent, invitations, mail."""
