"""Which model is asked, and when one is left alone for a while."""
