from uuid import UUID

import django.utils.timezone
from django.conf import settings
from django.db import migrations, models
from django.db.models.deletion import SET_NULL
from django.db.models import Q

from llm.migrations._fields import ID


def from_the_log(apps, schema_editor):
    """Move what was recorded among the admin's changes."""
    entries = apps.get_model("admin", "LogEntry").objects.filter(
        Q(change_message__startswith="Read ") | Q(change_message__startswith="Exported ")
    )
    bots = set(apps.get_model("plans", "Bot").objects.values_list("pk", flat=True))
    sessions = apps.get_model("interviews", "Session").objects
    record = apps.get_model("interviews", "AccessRecord")
    for entry in entries.select_related("user", "content_type").iterator():
        kind, key = entry.content_type and entry.content_type.model, entry.object_id
        session = UUID(key) if kind == "session" and key else None
        bot = int(key) if kind == "bot" and key else None
        if session:
            bot = sessions.filter(pk=session).values_list("bot", flat=True).first()
        record.objects.create(
            at=entry.action_time,
            user=entry.user,
            name=entry.user.username,
            what=entry.change_message.partition(" {")[0][:200],
            bot_id=bot if bot in bots else None,
            session=session,
        )
    entries.delete()


class Migration(migrations.Migration):
    dependencies = [
        ('interviews', '0001_squashed_0016_session_cell'),
        ('plans', '0016_teams'),
        ('admin', '0003_logentry_add_action_flag_choices'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations = [
        migrations.CreateModel('AccessRecord', [
            ID,
            ('at', models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
            ('name', models.CharField(max_length=150, verbose_name='user')),
            ('what', models.CharField(max_length=200)),
            ('session', models.UUIDField(db_index=True, null=True, verbose_name='interview')),
            ('filters', models.JSONField(default=dict)),
            ('bot', models.ForeignKey(null=True, on_delete=SET_NULL, related_name='+', to='plans.bot')),
            ('user', models.ForeignKey(null=True, on_delete=SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
        ], {'ordering': ['-at', '-id'], 'default_permissions': ['view']}),
        migrations.RunPython(from_the_log, migrations.RunPython.noop),
    ]
