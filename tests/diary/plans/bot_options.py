from plans.protocols.diary.content import CONTENT

from plans.protocols.base import PlanProtocol

DIARY = PlanProtocol(title="Diary", content=CONTENT, summary="Asks the same on every day.")
