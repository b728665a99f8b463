from django.db import migrations


def take_out_words(apps, schema_editor):
    """The admin's log named facts by their words, which no withdrawal found there."""
    entries = apps.get_model("admin", "LogEntry").objects.filter(
        content_type__app_label="interviews", content_type__model="fact"
    )
    entries.update(object_repr="Fact")


class Migration(migrations.Migration):
    dependencies = [
        ('interviews', '0023_places_of_the_deleted'),
        ('admin', '0003_logentry_add_action_flag_choices'),
        ('contenttypes', '0002_remove_content_type_name'),
    ]
    operations = [migrations.RunPython(take_out_words, migrations.RunPython.noop)]
