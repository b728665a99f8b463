from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [('interviews', '0020_webhooks')]
    operations = [
        migrations.AddField('Turn', 'effort_score', models.FloatField(null=True)),
        migrations.AddField('Turn', 'effort_signs', models.CharField(max_length=80, null=True)),
    ]
