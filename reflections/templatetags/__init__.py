"""Parts of pages that know nothing of products."""
