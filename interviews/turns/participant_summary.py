from interviews.choices import ENDED
from interviews.models import Session
from interviews.turns.store import plan_content


def gives_own_summary(session: Session) -> bool:
    if session.dialogue_status not in ENDED:
        return False
    options = getattr(plan_content(session.plan_id).material, "options", None)
    return bool(getattr(options, "own_summary", False))
