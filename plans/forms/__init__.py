"""Forms in which a study is written: typed fields, never raw data."""
