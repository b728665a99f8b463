from django.db import migrations, models
from django.db.models.deletion import CASCADE, SET_NULL


def fields(related_name, **own):
    key = models.BigAutoField(
        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
    )
    bot = models.ForeignKey(on_delete=CASCADE, related_name=related_name, to="plans.bot")
    return [("id", key), *own.items(), ("bot", bot)]


CODE = fields(
    "codes", name=models.CharField(blank=True, max_length=200), type=models.CharField(max_length=60)
)
SUGGESTION = fields(
    "code_suggestions",
    codes=models.JSONField(),
    name=models.CharField(blank=True, max_length=200),
    by_model=models.BooleanField(default=False),
    refused=models.BooleanField(default=False),
)
STEP = fields(
    "coding_steps",
    kind=models.CharField(max_length=20),
    by=models.CharField(max_length=150),
    at=models.DateTimeField(auto_now_add=True),
    before=models.JSONField(),
    after=models.JSONField(),
    undone=models.BooleanField(default=False),
)
OF_NODE = models.ForeignKey(
    null=True, on_delete=SET_NULL, related_name="nodes", to="interviews.code"
)
LISTED = {"ordering": ["id"], "default_permissions": []}


class Migration(migrations.Migration):
    dependencies = [
        ("interviews", "0001_squashed_0012_session_names"),
        ("plans", "0001_squashed_0010_question_probes"),
    ]
    operations = [
        migrations.CreateModel("Code", CODE, {"default_permissions": ["change"]}),
        migrations.AddField("node", "code", OF_NODE),
        migrations.CreateModel("CodeSuggestion", SUGGESTION, LISTED),
        migrations.CreateModel("CodingStep", STEP, LISTED),
    ]
