from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [('interviews', '0022_overview_gone')]
    operations = [
        migrations.AlterField(
            'Assignment',
            'session',
            models.OneToOneField('interviews.Session', models.CASCADE, null=True, related_name='assignment'),
        ),
    ]
