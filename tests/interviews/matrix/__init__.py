"""Every protocol, intent and level of care, with a model and without, in three languages."""
