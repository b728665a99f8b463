"""Data out: tables of the fieldwork as CSV, JSON lines or XLSX, with a codebook.

columns     what a column and a table are
selection   which interviews
sessions    the interviews chosen, in batches, with what every table says of them
tables/     a file per table
registry    all tables, those of other apps included
writing/    a file per format
reading     one consistent snapshot of the database
codebook    every column: meaning, type, values
archive     everything in one ZIP
downloads   all this over HTTP
"""
