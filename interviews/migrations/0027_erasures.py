import django.utils.timezone
from django.db import migrations, models

from llm.migrations._fields import ID


class Migration(migrations.Migration):
    dependencies = [('interviews', '0026_kinds_beside_the_study')]
    operations = [
        migrations.CreateModel('Erasure', [
            ID,
            ('at', models.DateTimeField(default=django.utils.timezone.now)),
        ]),
    ]
