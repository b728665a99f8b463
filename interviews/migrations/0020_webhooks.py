import uuid

from django.conf import settings
from django.db import migrations, models
from django.db.models import Q
from django.db.models.deletion import CASCADE

from llm.migrations._fields import ID, JOB

EVENTS = [
    ('interview.begun', 'Interview begun'),
    ('interview.completed', 'Interview completed'),
    ('interview.stopped', 'Interview stopped'),
    ('interview.flagged', 'Signs of distress'),
    ('interview.withdrawn', 'Interview withdrawn'),
    ('data.exported', 'Data exported'),
]


class Migration(migrations.Migration):
    dependencies = [
        ('interviews', '0019_export_files'),
        ('plans', '0016_teams'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations = [
        migrations.CreateModel('Webhook', [
            ID,
            ('name', models.CharField(max_length=60)),
            ('url', models.URLField(max_length=500, verbose_name='address')),
            ('events', models.JSONField(default=list)),
            ('secret', models.TextField()),
            ('is_active', models.BooleanField(default=True, verbose_name='active')),
            ('created_at', models.DateTimeField(auto_now_add=True)),
            ('bot', models.ForeignKey(blank=True, help_text='Leave empty for all bots.', null=True, on_delete=CASCADE, related_name='+', to='plans.bot')),
            ('user', models.ForeignKey(on_delete=CASCADE, related_name='webhooks', to=settings.AUTH_USER_MODEL)),
        ], {'ordering': ['name']}),
        migrations.CreateModel('WebhookDelivery', [
            ID,
            *JOB,
            ('key', models.UUIDField(default=uuid.uuid4, unique=True)),
            ('event', models.CharField(choices=EVENTS, max_length=40)),
            ('data', models.JSONField()),
            ('created_at', models.DateTimeField(auto_now_add=True)),
            ('webhook', models.ForeignKey(on_delete=CASCADE, related_name='deliveries', to='interviews.webhook')),
        ], {
            'ordering': ['-created_at', '-id'],
            'verbose_name_plural': 'webhook deliveries',
            'default_permissions': ['view'],
            'constraints': [models.CheckConstraint(condition=~Q(status='running') | Q(claim__isnull=False), name='running_webhookdelivery_is_claimed')],
        }),
    ]
