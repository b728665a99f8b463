import django.utils.timezone
from django.conf import settings
from django.db import migrations, models
from django.db.models.deletion import CASCADE

from llm.migrations._fields import ID


class Migration(migrations.Migration):
    dependencies = [
        ('interviews', '0017_access'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations = [
        migrations.AddField('Session', 'changed_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
        migrations.CreateModel('ExportToken', [
            ID,
            ('name', models.CharField(help_text='The program that uses it.', max_length=60)),
            ('digest', models.CharField(max_length=64, unique=True)),
            ('created_at', models.DateTimeField(auto_now_add=True)),
            ('used_at', models.DateTimeField(null=True)),
            ('user', models.ForeignKey(on_delete=CASCADE, related_name='export_tokens', to=settings.AUTH_USER_MODEL)),
        ], {'ordering': ['-created_at'], 'default_permissions': ['add', 'view', 'delete']}),
    ]
