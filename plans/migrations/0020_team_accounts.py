import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def limit_members(apps, _):
    members = apps.get_model('plans', 'Team').members.through.objects
    rows = apps.get_model('plans', 'TeamAccount').objects
    keys = members.values_list('user', flat=True).distinct()
    rows.bulk_create([rows.model(user_id=key) for key in keys])


class Migration(migrations.Migration):
    dependencies = [
        ('plans', '0019_cells_gone'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations = [
        migrations.CreateModel('TeamAccount', [
            ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='team_account', serialize=False, to=settings.AUTH_USER_MODEL)),
        ]),
        migrations.RunPython(limit_members, migrations.RunPython.noop),
    ]
