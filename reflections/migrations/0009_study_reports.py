from django.db import migrations, models
from django.db.models.deletion import CASCADE

from llm.migrations._fields import ID, JOB

MADE = [
    ('created_by', models.CharField(max_length=150)),
    ('created_at', models.DateTimeField(auto_now_add=True)),
]


def claimed(name):
    return models.CheckConstraint(condition=models.Q(models.Q(('status', 'running'), _negated=True), ('claim__isnull', False), _connector='OR'), name=f'running_{name}_is_claimed')


class Migration(migrations.Migration):
    dependencies = [
        ('interviews', '0017_access'),
        ('plans', '0017_retention'),
        ('reflections', '0008_excerpt_against'),
    ]
    operations = [
        migrations.CreateModel('ThemeSuggestions', [
            ID,
            *JOB,
            *MADE,
            ('bot', models.OneToOneField(on_delete=CASCADE, related_name='theme_suggestions', to='plans.bot')),
        ], {'verbose_name_plural': 'theme suggestions', 'default_permissions': [], 'constraints': [claimed('themesuggestions')]}),
        migrations.CreateModel('StudyReport', [
            ID,
            *JOB,
            *MADE,
            ('bot', models.OneToOneField(on_delete=CASCADE, related_name='study_report', to='plans.bot')),
        ], {'default_permissions': [], 'constraints': [claimed('studyreport')]}),
        migrations.CreateModel('ReportSource', [
            ID,
            ('report', models.ForeignKey(on_delete=CASCADE, related_name='sources', to='reflections.studyreport')),
            ('session', models.ForeignKey(on_delete=CASCADE, related_name='report_sources', to='interviews.session')),
        ], {'verbose_name': 'place in a report on findings', 'verbose_name_plural': 'places in reports on findings', 'default_permissions': [], 'constraints': [
            models.UniqueConstraint(fields=('report', 'session'), name='source_once_a_report'),
        ]}),
        migrations.AlterField('review', 'reflection', models.OneToOneField(null=True, on_delete=CASCADE, related_name='review', to='reflections.reflection')),
        migrations.AddField('review', 'report', models.OneToOneField(null=True, on_delete=CASCADE, related_name='review', to='reflections.studyreport')),
        migrations.AddConstraint('review', models.CheckConstraint(condition=models.Q(('reflection', None), ('report__isnull', False)) | models.Q(('reflection__isnull', False), ('report', None)), name='review_is_of_one_product')),
    ]
