from typing import Any

from django.core.management.base import BaseCommand

from interviewsite.operations import doctor


class Command(BaseCommand):
    help = "Examine the site: one line for each part, with what to do. Exits with 1 on a fault."
    requires_system_checks: list[str] = []  # they are among what is examined

    def handle(self, *args: Any, **options: Any) -> None:
        style = {
            doctor.OK: self.style.SUCCESS,
            doctor.WARNING: self.style.WARNING,
            doctor.FAULT: self.style.ERROR,
        }
        faults = 0
        for finding in doctor.examine():
            self.stdout.write(style[finding.state](str(finding)))
            faults += finding.state == doctor.FAULT
        if faults:
            raise SystemExit(1)
