"""The look of the admin and its navigation."""
