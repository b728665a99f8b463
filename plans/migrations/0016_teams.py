from django.conf import settings
from django.db import migrations, models

from llm.migrations._fields import ID


class Migration(migrations.Migration):
    dependencies = [
        ('plans', '0001_squashed_0015_quota_cells'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations = [
        migrations.CreateModel('Team', [
            ID,
            ('name', models.CharField(max_length=100, unique=True)),
            ('bots', models.ManyToManyField(blank=True, help_text='With their interviews, invitations and results. Scripts, concepts and methodologies of these bots are seen too.', related_name='teams', to='plans.bot')),
            ('concepts', models.ManyToManyField(blank=True, help_text='Besides those of the bots.', related_name='teams', to='plans.ladderconcept')),
            ('experiments', models.ManyToManyField(blank=True, help_text='With the results of all arms.', related_name='teams', to='plans.experiment')),
            ('members', models.ManyToManyField(blank=True, help_text='They see this team’s studies and no others. What they may do there is up to their roles.', related_name='teams', to=settings.AUTH_USER_MODEL)),
            ('methodologies', models.ManyToManyField(blank=True, help_text='Besides those of the bots.', related_name='teams', to='plans.laddermethodology')),
            ('scripts', models.ManyToManyField(blank=True, help_text='Besides those of the bots.', related_name='teams', to='plans.script')),
        ], {'ordering': ['name']}),
    ]
