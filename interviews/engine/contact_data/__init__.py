"""Contact data in what people say: found, read and masked."""
