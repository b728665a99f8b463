import django.db.models.deletion
import simple_history.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [
        ('reflections', '0001_initial'),
        ('reflections', '0002_jobs'),
        ('reflections', '0003_review'),
        ('reflections', '0004_after'),
        ('reflections', '0005_batches'),
    ]

    initial = True

    dependencies = [
        ('interviews', '0001_squashed_0012_session_names'),
        ('plans', '0001_squashed_0010_question_probes'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Reflection',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('status', models.CharField(choices=[('pending', 'Waiting'), ('running', 'In progress'), ('ready', 'Ready'), ('failed', 'Failed')], default='pending', max_length=10)),
                ('content', models.JSONField(blank=True, default=dict)),
                ('reason', models.TextField(blank=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('claim', models.UUIDField(null=True)),
                ('claimed_until', models.DateTimeField(null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('finished_at', models.DateTimeField(null=True)),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reflections', to='interviews.session')),
            ],
            options={
                'ordering': ['session', 'id'],
                'constraints': [models.UniqueConstraint(fields=('session', 'name'), name='reflection_once_a_session'), models.CheckConstraint(condition=models.Q(models.Q(('status', 'running'), _negated=True), ('claim__isnull', False), _connector='OR'), name='running_reflection_is_claimed')],
                'permissions': [('review_reflection', 'Can review reflections')],
            },
        ),
        migrations.CreateModel(
            name='Review',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('draft', 'Not reviewed'), ('accepted', 'Accepted'), ('amended', 'Amended'), ('rejected', 'Rejected')], default='draft', max_length=10)),
                ('comment', models.TextField(blank=True)),
                ('content', models.JSONField(blank=True, default=dict)),
                ('reviewer', models.CharField(blank=True, max_length=150)),
                ('reviewed_at', models.DateTimeField(null=True)),
                ('version', models.PositiveIntegerField(default=0)),
                ('reflection', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='review', to='reflections.reflection')),
            ],
            options={
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='ReviewStep',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('draft', 'Not reviewed'), ('accepted', 'Accepted'), ('amended', 'Amended'), ('rejected', 'Rejected')], default='draft', max_length=10)),
                ('comment', models.TextField(blank=True)),
                ('content', models.JSONField(blank=True, default=dict)),
                ('reviewer', models.CharField(max_length=150)),
                ('at', models.DateTimeField()),
                ('review', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='steps', to='reflections.review')),
            ],
            options={
                'ordering': ['review', 'id'],
                'default_permissions': (),
            },
        ),
        migrations.AddConstraint(
            model_name='review',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('reviewed_at', None), ('reviewer', ''), ('state', 'draft')), models.Q(models.Q(('state', 'draft'), _negated=True), models.Q(('reviewer', ''), _negated=True), ('reviewed_at__isnull', False)), _connector='OR'), name='review_has_a_reviewer_iff_no_draft'),
        ),
        migrations.AddConstraint(
            model_name='review',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'amended'), models.Q(('content', {}), _negated=True)), models.Q(models.Q(('state', 'amended'), _negated=True), ('content', {})), _connector='OR'), name='review_has_content_iff_amended'),
        ),
        migrations.AddConstraint(
            model_name='review',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['draft', 'accepted', 'amended', 'rejected'])), name='review_state_is_known'),
        ),
        migrations.CreateModel(
            name='Expert',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.SlugField(help_text='A short name without spaces, used in reflections and exports. A changed key makes a new expert.', unique=True)),
                ('name', models.CharField(help_text='As people see it, such as “Psychologist”.', max_length=100)),
                ('looks_for', models.TextField(help_text='In a sentence or two: which aspects of a person or a life.', verbose_name='what the expert looks for')),
                ('instructions', models.TextField(help_text='How the expert works: what to look at, which questions to ask of the text, what to leave alone. The model reads this before the interview.')),
                ('active', models.BooleanField(default=True, help_text='If off, reads no more interviews. Existing reflections stay.')),
                ('position', models.PositiveSmallIntegerField(default=0)),
            ],
            options={
                'ordering': ['position', 'id'],
            },
        ),
        migrations.CreateModel(
            name='Batch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('products', models.JSONField(default=list)),
                ('estimate', models.DecimalField(decimal_places=4, max_digits=12, null=True)),
                ('created_by', models.CharField(max_length=150)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('bot', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='batches', to='plans.bot')),
                ('complete', models.BooleanField(default=True)),
                ('previews', models.BooleanField(default=False)),
                ('synthetic', models.BooleanField(default=False)),
                ('which', models.CharField(default='missing', max_length=15)),
            ],
            options={
                'verbose_name_plural': 'batches',
                'ordering': ['-id'],
                'default_permissions': (),
            },
        ),
        migrations.AddField(
            model_name='reflection',
            name='batch',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='reflections', to='reflections.batch'),
        ),
        migrations.CreateModel(
            name='HistoricalExpert',
            fields=[
                ('id', models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name='ID')),
                ('key', models.SlugField(help_text='A short name without spaces, used in reflections and exports. A changed key makes a new expert.')),
                ('name', models.CharField(help_text='As people see it, such as “Psychologist”.', max_length=100)),
                ('looks_for', models.TextField(help_text='In a sentence or two: which aspects of a person or a life.', verbose_name='what the expert looks for')),
                ('instructions', models.TextField(help_text='How the expert works: what to look at, which questions to ask of the text, what to leave alone. The model reads this before the interview.')),
                ('active', models.BooleanField(default=True, help_text='If off, reads no more interviews. Existing reflections stay.')),
                ('position', models.PositiveSmallIntegerField(default=0)),
                ('history_id', models.AutoField(primary_key=True, serialize=False)),
                ('history_date', models.DateTimeField(db_index=True)),
                ('history_change_reason', models.CharField(max_length=100, null=True)),
                ('history_type', models.CharField(choices=[('+', 'Created'), ('~', 'Changed'), ('-', 'Deleted')], max_length=1)),
                ('history_user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'historical expert',
                'verbose_name_plural': 'historical experts',
                'ordering': ('-history_date', '-history_id'),
                'get_latest_by': ('history_date', 'history_id'),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name='Calibration',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('status', models.CharField(choices=[('pending', 'Waiting'), ('running', 'In progress'), ('ready', 'Ready'), ('failed', 'Failed')], default='pending', max_length=10)),
                ('content', models.JSONField(blank=True, default=dict)),
                ('reason', models.TextField(blank=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('claim', models.UUIDField(null=True)),
                ('claimed_until', models.DateTimeField(null=True)),
                ('finished_at', models.DateTimeField(null=True)),
                ('method', models.CharField(choices=[('held_out', 'Held-out questions'), ('questionnaire', 'Questionnaire')], max_length=15)),
                ('options', models.JSONField(default=dict)),
                ('created_by', models.CharField(blank=True, max_length=150)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='calibrations', to='interviews.session')),
            ],
            options={
                'ordering': ['session', '-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('status', 'running'), _negated=True), ('claim__isnull', False), _connector='OR'), name='running_calibration_is_claimed'), models.CheckConstraint(condition=models.Q(('method__in', ['held_out', 'questionnaire'])), name='calibration_method_is_known')],
            },
        ),
    ]
