from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [('interviews', '0021_efforts')]
    operations = [migrations.AddField('OverviewDay', 'gone', models.JSONField(default=dict))]
