"""Technical assessment: an observer judges each answer, an interviewer asks on its advice."""
