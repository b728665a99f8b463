from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ('plans', '0017_retention'),
    ]
    operations = [
        migrations.AddField('bot', 'places_gone', models.PositiveIntegerField(default=0, editable=False)),
    ]
