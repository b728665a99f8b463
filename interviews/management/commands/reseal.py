"""`manage.py reseal`: everything confidential under the newest of the data keys."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from interviews.security.key_rotation import RotationCounts, reseal
from interviews.security.sealing import NoDataKey


class Command(BaseCommand):
    """Can be broken off and begun again; afterwards the older keys are not needed any more."""

    help = "Encrypt confidential values anew with the newest key of DATA_KEYS."

    def handle(self, *args: Any, **options: Any) -> None:
        """Prints counts. Exit code 1 when something can be read with none of the keys."""
        try:
            count = reseal(self._tell)
        except NoDataKey as error:
            raise CommandError(str(error)) from error
        self._tell(count)
        if count.broken:
            raise CommandError(
                f"{count.broken} can be read with none of the keys. They were left as they are: "
                "add the key that sealed them to DATA_KEYS and run this again."
            )

    def _tell(self, count: RotationCounts) -> None:
        self.stdout.write(f"{count.resealed} sealed anew, {count.already} already were")
