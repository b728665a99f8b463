"""What is made of a handover: summary, onboarding package, Q&A context. All of it is pure.

types       what was held, and what is made of it
composing   questions with their facts, open points, documents
portions    long material in pieces, whole questions together
checks      what code changes in what a model wrote
asking      what a model is asked for the summary
narrating   the summary by topic under five headings, by a model from the facts
onboarding  the package for the successor; a model says how to begin
lines       the Q&A context, a line a fact
escaping    participants' words in Markdown are never markup
writing     summary and package as Markdown
pages       Markdown as HTML, and the whole as one file
files       the package as one ZIP
"""
