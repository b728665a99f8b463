from django.db import migrations

NAMES = {
    "given": "start_answers",
    "language_by": "language_source",
    "measured": "collects_paradata",
}


class Migration(migrations.Migration):
    dependencies = [("interviews", "0011_distress_review")]

    operations = [
        migrations.RenameField("session", before, after) for before, after in NAMES.items()
    ]
