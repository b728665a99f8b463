"""Tables of interview data as CSV, JSON lines or XLSX, with a codebook."""
