"""Tags of the fieldwork."""
