"""The one door into an interview, and what runs behind it: start, receive, run, commit, replay."""
