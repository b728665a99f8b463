"""The admin of what is made of interviews: to find it, to read it, to review it.

reflections   the list and the page
page          what the page shows
reviewing     what a reviewer's form does
forms         the form itself
narrative     the form in which a summary by topic is amended
transfers     what the pages of a handover's products show
"""

from reflections.admin.reflections import ReflectionAdmin

__all__ = ["ReflectionAdmin"]
