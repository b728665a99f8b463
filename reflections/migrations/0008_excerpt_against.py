from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [('reflections', '0007_excerpts')]
    operations = [migrations.AddField('excerpt', 'against', models.BooleanField(default=False))]
