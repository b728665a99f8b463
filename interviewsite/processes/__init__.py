"""What runs beside the pages: sweeping, Celery's broker and beat."""
