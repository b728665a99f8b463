import uuid

from django.conf import settings
from django.db import migrations, models
from django.db.models import Q
from django.db.models.deletion import CASCADE, SET_NULL

from llm.migrations._fields import ID, JOB


class Migration(migrations.Migration):
    dependencies = [
        ('interviews', '0018_export_tokens'),
        ('plans', '0016_teams'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations = [
        migrations.CreateModel('ExportFile', [
            ID,
            *JOB,
            ('key', models.UUIDField(default=uuid.uuid4, unique=True)),
            ('table', models.CharField(max_length=60)),
            ('format', models.CharField(max_length=10)),
            ('bom', models.BooleanField(default=False)),
            ('filters', models.JSONField(default=dict)),
            ('created_at', models.DateTimeField(auto_now_add=True)),
            ('bot', models.ForeignKey(null=True, on_delete=SET_NULL, related_name='+', to='plans.bot')),
            ('user', models.ForeignKey(on_delete=CASCADE, related_name='export_files', to=settings.AUTH_USER_MODEL)),
        ], {
            'ordering': ['-created_at'],
            'default_permissions': [],
            'constraints': [models.CheckConstraint(condition=~Q(status='running') | Q(claim__isnull=False), name='running_exportfile_is_claimed')],
        }),
        migrations.AddField('Mail', 'export', models.ForeignKey(null=True, on_delete=CASCADE, related_name='mails', to='interviews.exportfile')),
        migrations.AlterField('Mail', 'kind', models.CharField(choices=[('alert', 'Signs of distress'), ('invitation', 'Invitation'), ('reminder', 'Reminder'), ('export', 'Export ready')], max_length=12)),
        migrations.RemoveConstraint('Mail', 'letter_is_about_something'),
        migrations.AddConstraint('Mail', models.CheckConstraint(condition=Q(session__isnull=False) | Q(invitation__isnull=False) | Q(export__isnull=False), name='letter_is_about_something')),
    ]
