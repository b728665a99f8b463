"""Date formats of languages for which Django falls back to English."""
