import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [
        ('interviews', '0001_initial'),
        ('interviews', '0002_export_permission'),
        ('interviews', '0003_confidential'),
        ('interviews', '0004_given'),
        ('interviews', '0005_observations'),
        ('interviews', '0006_facts'),
        ('interviews', '0007_graph'),
        ('interviews', '0008_entrance'),
        ('interviews', '0009_flags'),
        ('interviews', '0010_measured'),
        ('interviews', '0011_distress_review'),
        ('interviews', '0012_session_names'),
    ]

    initial = True

    dependencies = [
        ('plans', '0001_squashed_0010_question_probes'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ConsentText',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('language', models.CharField(max_length=12)),
                ('text', models.TextField()),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'ordering': ['-created_at'],
                'default_permissions': ['view'],
            },
        ),
        migrations.CreateModel(
            name='Participant',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(blank=True, max_length=200)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'ordering': ['-created_at'],
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(blank=True, max_length=200)),
                ('email', models.EmailField(blank=True, max_length=254)),
                ('language', models.CharField(blank=True, max_length=12)),
                ('reference', models.CharField(blank=True, help_text="The person's ID in your own records.", max_length=100)),
                ('params', models.JSONField(blank=True, default=dict)),
                ('expires_at', models.DateTimeField(blank=True, help_text='After this, nothing more can be answered.', null=True, verbose_name='expires')),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ('sent_at', models.DateTimeField(blank=True, null=True)),
                ('reminded_at', models.DateTimeField(blank=True, null=True)),
                ('reminders', models.PositiveSmallIntegerField(default=0)),
                ('entered_at', models.DateTimeField(blank=True, null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='plans.bot')),
                ('participant', models.OneToOneField(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='invitation', to='interviews.participant')),
            ],
            options={
                'ordering': ['-created_at'],
                'permissions': [('view_contacts', 'Can view names and addresses of invited people')],
            },
        ),
        migrations.CreateModel(
            name='InvitationKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('invitation', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='keys', to='interviews.invitation')),
            ],
            options={
                'ordering': ['-created_at'],
                'default_permissions': [],
            },
        ),
        migrations.CreateModel(
            name='Session',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('title', models.CharField(max_length=200)),
                ('host', models.CharField(blank=True, max_length=200)),
                ('language', models.CharField(default='en', max_length=12)),
                ('language_source', models.CharField(blank=True, choices=[('choice', 'choice'), ('link', 'link'), ('browser', 'browser'), ('answers', 'answers'), ('bot', 'bot')], max_length=10)),
                ('status', models.CharField(choices=[('INTRO', 'Intro'), ('WAITING_ANSWER', 'Waiting for an answer'), ('ASKING', 'Interviewer is asking'), ('PAUSED', 'Paused'), ('COMPLETED', 'Completed'), ('STOPPED', 'Stopped by the participant'), ('ARCHIVED', 'Replaced by a new start'), ('WITHDRAWN', 'Withdrawn')], db_index=True, default='INTRO', max_length=20)),
                ('state', models.JSONField(default=dict)),
                ('sequence', models.PositiveIntegerField(default=0)),
                ('length', models.PositiveIntegerField(default=0)),
                ('turn_count', models.PositiveIntegerField(default=0)),
                ('progress', models.JSONField(default=dict)),
                ('params', models.JSONField(blank=True, default=dict)),
                ('start_answers', models.JSONField(blank=True, default=dict)),
                ('reward', models.JSONField(blank=True, default=dict)),
                ('collects_paradata', models.BooleanField(default=False)),
                ('preview', models.BooleanField(default=False)),
                ('synthetic', models.BooleanField(default=False)),
                ('flagged', models.BooleanField(db_index=True, default=False)),
                ('flagged_at', models.DateTimeField(blank=True, null=True)),
                ('started_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('paused_at', models.DateTimeField(blank=True, null=True)),
                ('pause_wanted', models.BooleanField(default=False)),
                ('away_seconds', models.FloatField(default=0)),
                ('away_total', models.FloatField(default=0)),
                ('bot', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='sessions', to='plans.bot')),
                ('invitation', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='sessions', to='interviews.invitation')),
                ('participant', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='sessions', to='interviews.participant')),
                ('plan', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sessions', to='plans.plan')),
            ],
            options={
                'ordering': ['-started_at'],
                'permissions': [('export_session', 'Can export interviews'), ('view_observations', 'Can view judgements of answers')],
            },
        ),
        migrations.CreateModel(
            name='Rating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('heard', models.PositiveSmallIntegerField(null=True)),
                ('ease', models.PositiveSmallIntegerField(null=True)),
                ('at', models.DateTimeField()),
                ('session', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='rating', to='interviews.session')),
            ],
            options={
                'ordering': ['-at'],
                'default_permissions': ['view'],
            },
        ),
        migrations.CreateModel(
            name='Mail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('status', models.CharField(choices=[('pending', 'Waiting'), ('running', 'In progress'), ('ready', 'Ready'), ('failed', 'Failed')], default='pending', max_length=10)),
                ('content', models.JSONField(blank=True, default=dict)),
                ('reason', models.TextField(blank=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('claim', models.UUIDField(null=True)),
                ('claimed_until', models.DateTimeField(null=True)),
                ('finished_at', models.DateTimeField(null=True)),
                ('kind', models.CharField(choices=[('alert', 'Signs of distress'), ('invitation', 'Invitation'), ('reminder', 'Reminder')], max_length=12)),
                ('to', models.EmailField(max_length=254)),
                ('number', models.PositiveSmallIntegerField(default=0)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('invitation', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='mails', to='interviews.invitation')),
                ('session', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='mails', to='interviews.session')),
            ],
            options={
                'verbose_name': 'e-mail',
                'ordering': ['-created_at'],
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='DistressReview',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('by', models.CharField(max_length=150)),
                ('note', models.TextField(blank=True)),
                ('at', models.DateTimeField()),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='looks', to='interviews.session')),
            ],
            options={
                'db_table': 'interviews_look',
                'ordering': ['at'],
                'permissions': [('add_look', 'Can review signs of distress')],
                'default_permissions': [],
            },
        ),
        migrations.CreateModel(
            name='Consent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('decision', models.CharField(choices=[('agreed', 'Agreed'), ('declined', 'Declined')], max_length=10)),
                ('at', models.DateTimeField()),
                ('preview', models.BooleanField(default=False)),
                ('bot', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='consents', to='plans.bot')),
                ('text', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='consents', to='interviews.consenttext')),
                ('session', models.OneToOneField(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='consent', to='interviews.session')),
            ],
            options={
                'ordering': ['-at'],
                'default_permissions': ['view'],
            },
        ),
        migrations.CreateModel(
            name='CollectedValue',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=60)),
                ('value', models.TextField()),
                ('created_at', models.DateTimeField()),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='collected', to='interviews.session')),
            ],
            options={
                'ordering': ['session', 'id'],
                'default_permissions': ['view'],
            },
        ),
        migrations.CreateModel(
            name='AccessKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('expires_at', models.DateTimeField(blank=True, null=True)),
                ('participant', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='keys', to='interviews.participant')),
                ('session', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='keys', to='interviews.session')),
            ],
            options={
                'ordering': ['-created_at'],
            },
        ),
        migrations.CreateModel(
            name='TranscriptEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slot', models.PositiveSmallIntegerField()),
                ('position', models.PositiveIntegerField()),
                ('at', models.DateTimeField()),
                ('role', models.CharField(choices=[('interviewer', 'Interviewer'), ('participant', 'Participant')], max_length=12)),
                ('kind', models.CharField(choices=[('intro', 'Intro'), ('scripted_question', 'Question'), ('topic_question', 'Topic question'), ('question', 'Question'), ('follow_up', 'Follow-up'), ('transition', 'Transition'), ('deep_offer', 'Offer to continue'), ('consent_request', 'Consent'), ('data_request', 'Data'), ('interviewer_answer', "Interviewer's answer"), ('care', 'Care'), ('outro', 'Outro'), ('user_answer', 'Answer'), ('candidate_question', "Candidate's question"), ('skip', 'Skip')], max_length=20)),
                ('text', models.TextField(blank=True)),
                ('question', models.CharField(blank=True, max_length=80)),
                ('number', models.PositiveIntegerField(null=True)),
                ('message_id', models.CharField(max_length=64, null=True)),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='interviews.session')),
            ],
            options={
                'verbose_name_plural': 'transcript entries',
                'ordering': ['session', 'position'],
            },
        ),
        migrations.CreateModel(
            name='Paradata',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('response_ms', models.PositiveIntegerField(null=True)),
                ('first_key_ms', models.PositiveIntegerField(null=True)),
                ('edits', models.PositiveIntegerField(null=True)),
                ('pastes', models.PositiveIntegerField(null=True)),
                ('pasted_characters', models.PositiveIntegerField(null=True)),
                ('focus_losses', models.PositiveIntegerField(null=True)),
                ('away_ms', models.PositiveIntegerField(null=True)),
                ('dictated', models.BooleanField(null=True)),
                ('entry', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='paradata', to='interviews.transcriptentry')),
            ],
            options={
                'verbose_name_plural': 'paradata',
                'ordering': ['entry'],
                'default_permissions': ['view'],
            },
        ),
        migrations.CreateModel(
            name='Note',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=80)),
                ('text', models.TextField()),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notes', to='interviews.session')),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notes', to='interviews.transcriptentry')),
            ],
            options={
                'ordering': ['session', 'id'],
            },
        ),
        migrations.CreateModel(
            name='Node',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=20)),
                ('text', models.TextField()),
                ('type', models.CharField(max_length=60)),
                ('elements', models.JSONField(default=list)),
                ('created_turn', models.PositiveIntegerField()),
                ('positions', models.JSONField(default=list)),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='nodes', to='interviews.session')),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='nodes', to='interviews.transcriptentry')),
            ],
            options={
                'ordering': ['session', 'id'],
            },
        ),
        migrations.CreateModel(
            name='Fact',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('text', models.TextField()),
                ('original', models.TextField()),
                ('question', models.CharField(max_length=80)),
                ('confidence', models.FloatField()),
                ('source', models.CharField(max_length=20)),
                ('edited_by', models.CharField(blank=True, max_length=150)),
                ('edited_at', models.DateTimeField(null=True)),
                ('merged_into', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='merged', to='interviews.fact')),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='facts', to='interviews.session')),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='facts', to='interviews.transcriptentry')),
            ],
            options={
                'ordering': ['session', 'number'],
            },
        ),
        migrations.CreateModel(
            name='Edge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('relation', models.CharField(max_length=60)),
                ('positions', models.JSONField(default=list)),
                ('source', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='edges_out', to='interviews.node')),
                ('target', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='edges_in', to='interviews.node')),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='edges', to='interviews.session')),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='edges', to='interviews.transcriptentry')),
            ],
            options={
                'ordering': ['session', 'id'],
            },
        ),
        migrations.CreateModel(
            name='Turn',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('trigger', models.CharField(choices=[('opening', 'Opening'), ('user_answer', 'Answer'), ('skip', 'Skip'), ('stop', 'Stop')], default='user_answer', max_length=20)),
                ('message_id', models.CharField(max_length=64)),
                ('status', models.CharField(choices=[('running', 'Running'), ('done', 'Done')], default='running', max_length=10)),
                ('sealed', models.TextField(null=True)),
                ('received_at', models.DateTimeField()),
                ('away_seconds', models.FloatField(default=0)),
                ('spoken_at', models.DateTimeField(blank=True, null=True)),
                ('lease_owner', models.UUIDField(null=True)),
                ('lease_until', models.DateTimeField(db_index=True, null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=1)),
                ('readings', models.JSONField(default=dict)),
                ('decision', models.JSONField(default=dict)),
                ('source', models.CharField(blank=True, max_length=20)),
                ('first_word_ms', models.PositiveIntegerField(null=True)),
                ('total_ms', models.PositiveIntegerField(null=True)),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='turns', to='interviews.session')),
            ],
            options={
                'ordering': ['session', 'number'],
            },
        ),
        migrations.AddField(
            model_name='transcriptentry',
            name='turn',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='interviews.turn'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.UniqueConstraint(condition=models.Q(('reference', ''), _negated=True), fields=('bot', 'reference'), name='invitation_reference_once_a_bot'),
        ),
        migrations.AddIndex(
            model_name='session',
            index=models.Index(fields=['bot', 'started_at'], name='interviews__bot_id_ea65a0_idx'),
        ),
        migrations.AddIndex(
            model_name='session',
            index=models.Index(fields=['started_at'], name='session_started_at'),
        ),
        migrations.AddConstraint(
            model_name='session',
            constraint=models.UniqueConstraint(condition=models.Q(('status__in', ['INTRO', 'WAITING_ANSWER', 'ASKING', 'PAUSED'])), fields=('participant', 'bot'), name='one_active_session_per_participant_and_bot'),
        ),
        migrations.AddConstraint(
            model_name='session',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['INTRO', 'WAITING_ANSWER', 'ASKING', 'PAUSED', 'COMPLETED', 'STOPPED', 'ARCHIVED', 'WITHDRAWN'])), name='session_status_is_known'),
        ),
        migrations.AddConstraint(
            model_name='rating',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('heard__isnull', True), ('heard__range', (1, 5)), _connector='OR'), models.Q(('ease__isnull', True), ('ease__range', (1, 5)), _connector='OR')), name='rating_from_1_to_5'),
        ),
        migrations.AddConstraint(
            model_name='mail',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('status', 'running'), _negated=True), ('claim__isnull', False), _connector='OR'), name='running_mail_is_claimed'),
        ),
        migrations.AddConstraint(
            model_name='mail',
            constraint=models.UniqueConstraint(fields=('kind', 'session', 'to', 'number'), name='one_alert_an_address_and_sign'),
        ),
        migrations.AddConstraint(
            model_name='mail',
            constraint=models.UniqueConstraint(fields=('kind', 'invitation', 'number'), name='one_letter_a_kind_and_number'),
        ),
        migrations.AddConstraint(
            model_name='mail',
            constraint=models.CheckConstraint(condition=models.Q(('session__isnull', False), ('invitation__isnull', False), _connector='OR'), name='letter_is_about_something'),
        ),
        migrations.AddConstraint(
            model_name='consent',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('decision', 'agreed'), ('session__isnull', False)), models.Q(('decision', 'declined'), ('session__isnull', True)), _connector='OR'), name='consent_of_a_session_or_none'),
        ),
        migrations.AddConstraint(
            model_name='collectedvalue',
            constraint=models.UniqueConstraint(fields=('session', 'key'), name='collected_value_once_a_session'),
        ),
        migrations.AddConstraint(
            model_name='note',
            constraint=models.UniqueConstraint(fields=('session', 'key'), name='note_key_once_a_session'),
        ),
        migrations.AddConstraint(
            model_name='node',
            constraint=models.UniqueConstraint(fields=('session', 'key'), name='node_key_once_a_session'),
        ),
        migrations.AddConstraint(
            model_name='fact',
            constraint=models.UniqueConstraint(fields=('session', 'number'), name='fact_number_once'),
        ),
        migrations.AddConstraint(
            model_name='fact',
            constraint=models.CheckConstraint(condition=models.Q(('merged_into', None), models.Q(('merged_into', models.F('id')), _negated=True), _connector='OR'), name='fact_is_not_merged_into_itself'),
        ),
        migrations.AddConstraint(
            model_name='fact',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('edited_at', None), ('edited_by', '')), models.Q(models.Q(('edited_by', ''), _negated=True), ('edited_at__isnull', False)), _connector='OR'), name='fact_has_an_editor_iff_edited'),
        ),
        migrations.AddConstraint(
            model_name='fact',
            constraint=models.CheckConstraint(condition=models.Q(('confidence__gte', 0), ('confidence__lte', 1)), name='fact_confidence_0_to_1'),
        ),
        migrations.AddConstraint(
            model_name='edge',
            constraint=models.UniqueConstraint(fields=('source', 'target', 'relation'), name='edge_once_between_nodes'),
        ),
        migrations.AddConstraint(
            model_name='edge',
            constraint=models.CheckConstraint(condition=models.Q(('source', models.F('target')), _negated=True), name='edge_ties_two_nodes'),
        ),
        migrations.AddConstraint(
            model_name='turn',
            constraint=models.UniqueConstraint(fields=('session', 'number'), name='turn_number_once_a_session'),
        ),
        migrations.AddConstraint(
            model_name='turn',
            constraint=models.UniqueConstraint(fields=('session', 'message_id'), name='one_turn_per_message_id'),
        ),
        migrations.AddConstraint(
            model_name='turn',
            constraint=models.UniqueConstraint(condition=models.Q(('status', 'running')), fields=('session',), name='one_running_turn_a_session'),
        ),
        migrations.AddConstraint(
            model_name='turn',
            constraint=models.CheckConstraint(condition=models.Q(('status', 'done'), ('lease_owner__isnull', False), _connector='OR'), name='running_turn_has_an_owner'),
        ),
        migrations.AddConstraint(
            model_name='transcriptentry',
            constraint=models.UniqueConstraint(fields=('session', 'position'), name='entry_position_once'),
        ),
        migrations.AddConstraint(
            model_name='transcriptentry',
            constraint=models.UniqueConstraint(fields=('turn', 'slot'), name='one_reply_per_answer'),
        ),
        migrations.AddConstraint(
            model_name='transcriptentry',
            constraint=models.CheckConstraint(condition=models.Q(('role', 'interviewer'), ('message_id__isnull', False), _connector='OR'), name='participants_entry_has_a_message_id'),
        ),
    ]
