"""Reading an answer, and asking, without a model.

lexicon     how people tie one thing to another, by language, as data
clauses     an answer -> its parts and how each is tied to the one before
phrases     a part -> what it speaks of, in few words
threads     the parts' phrases in groups, and which group leads to which
rungs       the rung of each phrase: by its words, else by its place
extracting  an answer -> concepts with types, and relations
reading     an answer -> how deep it goes, its tone, what it speaks of
asking      a strategy's templates -> the question
"""
