from django.db import migrations


class Migration(migrations.Migration):
    """A new name for the model; its table and its permission keep theirs."""

    dependencies = [("interviews", "0010_measured")]

    operations = [
        migrations.AlterModelTable("look", "interviews_look"),
        migrations.AlterModelOptions(
            "look",
            {
                "ordering": ["at"],
                "default_permissions": [],
                "permissions": [("add_look", "Can add look")],
            },
        ),
        migrations.RenameModel("Look", "DistressReview"),
    ]
