"""Scripts and bots as files: JSON, YAML and, for questions, topics and backlogs, CSV.

reader turns files into documents, formats the reverse; scripts, bots and topics turn documents
into database rows and back. Reading returns a document or raises BrokenDocument, nothing else.
"""
