from interviewsite.admin import accounts as accounts
