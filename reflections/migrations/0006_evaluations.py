from django.db import migrations, models
from django.db.models.deletion import CASCADE, SET_NULL

from llm.migrations._fields import ID, JOB


class Migration(migrations.Migration):
    dependencies = [
        ('interviews', '0016_session_cell'),
        ('plans', '0015_quota_cells'),
        ('reflections', '0001_squashed_0005_batches'),
    ]
    operations = [
        migrations.CreateModel('Evaluation', [
            ID,
            ('name', models.CharField(max_length=60)),
            ('respondents', models.CharField(choices=[('rules', 'By rules'), ('model', 'By a model')], default='rules', max_length=10)),
            ('seed', models.PositiveIntegerField(default=1)),
            ('judged', models.BooleanField(default=False)),
            ('versions', models.JSONField(default=dict)),
            ('figures', models.JSONField(default=dict)),
            ('created_by', models.CharField(blank=True, max_length=150)),
            ('created_at', models.DateTimeField(auto_now_add=True)),
            ('bot', models.ForeignKey(null=True, on_delete=SET_NULL, related_name='evaluations', to='plans.bot')),
        ], {'ordering': ['-id'], 'default_permissions': ('add', 'view', 'delete')}),
        migrations.CreateModel('SimulatedInterview', [
            ID,
            *JOB,
            ('persona', models.CharField(max_length=80)),
            ('evaluation', models.ForeignKey(on_delete=CASCADE, related_name='interviews', to='reflections.evaluation')),
            ('session', models.OneToOneField(null=True, on_delete=SET_NULL, related_name='simulated', to='interviews.session')),
        ], {'ordering': ['evaluation', 'id'], 'default_permissions': ()}),
        migrations.AddConstraint('evaluation', models.UniqueConstraint(fields=('bot', 'name'), name='evaluation_name_once_a_bot')),
        migrations.AddConstraint('simulatedinterview', models.CheckConstraint(condition=models.Q(models.Q(('status', 'running'), _negated=True), ('claim__isnull', False), _connector='OR'), name='running_simulatedinterview_is_claimed')),
        migrations.AddConstraint('simulatedinterview', models.UniqueConstraint(fields=('evaluation', 'persona'), name='persona_once_an_evaluation')),
    ]
