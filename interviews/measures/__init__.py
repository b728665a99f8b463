"""What is measured of answers and interviews: paradata, response quality, ratings, rewards."""
