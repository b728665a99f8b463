from typing import Any

from django.core.management.base import BaseCommand, CommandError

from interviews.security.key_rotation import RotationCounts, reseal
from interviews.security.sealing import NoDataKey


class Command(BaseCommand):
    help = "Encrypt confidential values anew with the newest key of DATA_KEYS."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            count = reseal(self._report)
        except NoDataKey as error:
            raise CommandError(str(error)) from error
        self._report(count)
        if count.broken:
            raise CommandError(
                f"{count.broken} can be read with none of the keys. They were left as they are: "
                "add the key that sealed them to DATA_KEYS and run this again."
            )

    def _report(self, count: RotationCounts) -> None:
        self.stdout.write(f"{count.resealed} sealed anew, {count.already} already were")
