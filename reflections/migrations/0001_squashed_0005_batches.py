from django.conf import settings
from django.db import migrations, models
from django.db.models.deletion import CASCADE, SET_NULL

from llm.migrations._fields import ID, JOB, history

EXPERT = [
    ID,
    ('key', models.SlugField(help_text='A short name without spaces, used in reflections and exports. A changed key makes a new expert.', unique=True)),
    ('name', models.CharField(help_text='As people see it, such as “Psychologist”.', max_length=100)),
    ('looks_for', models.TextField(help_text='In a sentence or two: which aspects of a person or a life.', verbose_name='what the expert looks for')),
    ('instructions', models.TextField(help_text='How the expert works: what to look at, which questions to ask of the text, what to leave alone. The model reads this before the interview.')),
    ('active', models.BooleanField(default=True, help_text='If off, reads no more interviews. Existing reflections stay.')),
    ('position', models.PositiveSmallIntegerField(default=0)),
]


class Migration(migrations.Migration):
    replaces = [('reflections', name) for name in (
        '0001_initial', '0002_jobs', '0003_review', '0004_after', '0005_batches',
    )]
    initial = True
    dependencies = [
        ('interviews', '0001_squashed_0016_session_cell'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations = [
        migrations.CreateModel('Batch', [
            ID,
            ('products', models.JSONField(default=list)),
            ('estimate', models.DecimalField(decimal_places=4, max_digits=12, null=True)),
            ('created_by', models.CharField(max_length=150)),
            ('created_at', models.DateTimeField(auto_now_add=True)),
            ('complete', models.BooleanField(default=True)),
            ('previews', models.BooleanField(default=False)),
            ('synthetic', models.BooleanField(default=False)),
            ('which', models.CharField(default='missing', max_length=15)),
            ('bot', models.ForeignKey(null=True, on_delete=SET_NULL, related_name='batches', to='plans.bot')),
        ], {'default_permissions': (), 'ordering': ['-id'], 'verbose_name_plural': 'batches'}),
        migrations.CreateModel('Calibration', [
            ID,
            *JOB,
            ('method', models.CharField(choices=[('held_out', 'Held-out questions'), ('questionnaire', 'Questionnaire')], max_length=15)),
            ('options', models.JSONField(default=dict)),
            ('created_by', models.CharField(blank=True, max_length=150)),
            ('created_at', models.DateTimeField(auto_now_add=True)),
            ('session', models.ForeignKey(on_delete=CASCADE, related_name='calibrations', to='interviews.session')),
        ], {'ordering': ['session', '-id'], 'constraints': [
            models.CheckConstraint(condition=models.Q(models.Q(('status', 'running'), _negated=True), ('claim__isnull', False), _connector='OR'), name='running_calibration_is_claimed'),
            models.CheckConstraint(condition=models.Q(('method__in', ['held_out', 'questionnaire'])), name='calibration_method_is_known'),
        ]}),
        migrations.CreateModel('Expert', EXPERT, {'ordering': ['position', 'id']}),
        migrations.CreateModel('Reflection', [
            ID,
            ('name', models.CharField(max_length=60)),
            *JOB,
            ('created_at', models.DateTimeField(auto_now_add=True)),
            ('session', models.ForeignKey(on_delete=CASCADE, related_name='reflections', to='interviews.session')),
            ('batch', models.ForeignKey(null=True, on_delete=SET_NULL, related_name='reflections', to='reflections.batch')),
        ], {'ordering': ['session', 'id'], 'permissions': [('review_reflection', 'Can review reflections')], 'constraints': [
            models.UniqueConstraint(fields=('session', 'name'), name='reflection_once_a_session'),
            models.CheckConstraint(condition=models.Q(models.Q(('status', 'running'), _negated=True), ('claim__isnull', False), _connector='OR'), name='running_reflection_is_claimed'),
        ]}),
        migrations.CreateModel('Review', [
            ID,
            ('state', models.CharField(choices=[('draft', 'Not reviewed'), ('accepted', 'Accepted'), ('amended', 'Amended'), ('rejected', 'Rejected')], default='draft', max_length=10)),
            ('comment', models.TextField(blank=True)),
            ('content', models.JSONField(blank=True, default=dict)),
            ('reviewer', models.CharField(blank=True, max_length=150)),
            ('reviewed_at', models.DateTimeField(null=True)),
            ('version', models.PositiveIntegerField(default=0)),
            ('reflection', models.OneToOneField(on_delete=CASCADE, related_name='review', to='reflections.reflection')),
        ], {'default_permissions': (), 'constraints': [
            models.CheckConstraint(condition=models.Q(models.Q(('reviewed_at', None), ('reviewer', ''), ('state', 'draft')), models.Q(models.Q(('state', 'draft'), _negated=True), models.Q(('reviewer', ''), _negated=True), ('reviewed_at__isnull', False)), _connector='OR'), name='review_has_a_reviewer_iff_no_draft'),
            models.CheckConstraint(condition=models.Q(models.Q(('state', 'amended'), models.Q(('content', {}), _negated=True)), models.Q(models.Q(('state', 'amended'), _negated=True), ('content', {})), _connector='OR'), name='review_has_content_iff_amended'),
            models.CheckConstraint(condition=models.Q(('state__in', ['draft', 'accepted', 'amended', 'rejected'])), name='review_state_is_known'),
        ]}),
        migrations.CreateModel('ReviewStep', [
            ID,
            ('state', models.CharField(choices=[('draft', 'Not reviewed'), ('accepted', 'Accepted'), ('amended', 'Amended'), ('rejected', 'Rejected')], default='draft', max_length=10)),
            ('comment', models.TextField(blank=True)),
            ('content', models.JSONField(blank=True, default=dict)),
            ('reviewer', models.CharField(max_length=150)),
            ('at', models.DateTimeField()),
            ('review', models.ForeignKey(on_delete=CASCADE, related_name='steps', to='reflections.review')),
        ], {'default_permissions': (), 'ordering': ['review', 'id']}),
        history('Expert', EXPERT, 'expert', 'experts'),
    ]
