from django.db import transaction

from plans.models import Script
from plans.models.copies import clone, copy_name


def script_copy_name(script: Script) -> str:
    taken = Script.objects.filter(language=script.language).values_list("name", flat=True)
    return copy_name(script.name[:180], taken)


@transaction.atomic
def duplicate_script(script: Script, name: str = "") -> Script:
    sections = list(script.sections.prefetch_related("questions"))
    copy = clone(script, name=name or script_copy_name(script))
    for section in sections:
        questions = list(section.questions.all())
        section_copy = clone(section, script=copy)
        for question in questions:
            clone(question, section=section_copy)
    return copy
