"""What every request meets: security headers, rate limits, health, JSON errors, the API."""
