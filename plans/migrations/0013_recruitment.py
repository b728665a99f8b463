from django.db import migrations, models

RECRUITMENT = models.CharField(
    "where participants come from",
    max_length=12,
    choices=[
        ("link", "An open link"),
        ("prolific", "Prolific"),
        ("panel", "Another panel"),
        ("invitations", "Personal invitations"),
    ],
    default="link",
    help_text="The checklist follows from it: a panel needs a completion code to pay people.",
)


def infer(apps, schema_editor):
    """Bots that asked for an invitation or for Prolific's ID say where people come from."""
    bots = apps.get_model("plans", "Bot").objects.all()
    for bot in bots.only("invited_only", "link_params"):
        names = {param["name"].casefold() for param in bot.link_params if param.get("required")}
        recruitment = "prolific" if "prolific_pid" in names else "link"
        if bot.invited_only:
            recruitment = "invitations"
        if recruitment != "link":
            bots.filter(pk=bot.pk).update(recruitment=recruitment)


class Migration(migrations.Migration):
    dependencies = [("plans", "0012_site_identity")]
    operations = [
        migrations.AddField("bot", "recruitment", RECRUITMENT),
        migrations.AddField("historicalbot", "recruitment", RECRUITMENT),
        migrations.RunPython(infer, migrations.RunPython.noop, elidable=True),
    ]
