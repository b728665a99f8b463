from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [('plans', '0018_places_gone')]
    operations = [
        migrations.AddField('bot', 'cells_gone', models.JSONField(default=dict, editable=False)),
    ]
