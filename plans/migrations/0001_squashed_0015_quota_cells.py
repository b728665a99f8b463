import plans.models.experiment
import plans.models.site
import simple_history.models
from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator, URLValidator
from django.db import migrations, models
from django.db.models.deletion import CASCADE, DO_NOTHING, PROTECT, SET_NULL

from llm.migrations._fields import ID, JOB, history

LADDERCONCEPT = [
    ID,
    ('key', models.SlugField(max_length=60, unique=True)),
    ('name', models.CharField(max_length=200)),
    ('source', models.TextField()),
    ('created_at', models.DateTimeField(auto_now_add=True)),
    ('updated_at', models.DateTimeField(auto_now=True)),
]
LADDERMETHODOLOGY = [
    ID,
    ('key', models.SlugField(max_length=60, unique=True)),
    ('name', models.CharField(max_length=200)),
    ('source', models.TextField()),
    ('created_at', models.DateTimeField(auto_now_add=True)),
    ('updated_at', models.DateTimeField(auto_now=True)),
]
SCRIPT = [
    ID,
    ('name', models.CharField(help_text='For you and your colleagues; participants never see it.', max_length=200)),
    ('language', models.CharField(default='en', help_text='Language tag of all texts in it, such as en, it or ru.', max_length=12, validators=[RegexValidator('^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$', 'Use a language tag such as en, it, ru or pt-BR.')])),
    ('intro', models.TextField(help_text="Said before the first question. {participant_name} stands for the participant's name. Say that the interviewer is an AI and that skipping is fine.")),
    ('outro', models.TextField(help_text='Said last. Thank people and ask nothing: nobody reads a reply.')),
    ('created_at', models.DateTimeField(auto_now_add=True)),
    ('updated_at', models.DateTimeField(auto_now=True)),
]
BOT = [
    ID,
    ('slug', models.SlugField(help_text='The last part of the public link, /i/address/. If you change it, links you have already sent stop working.', unique=True, verbose_name='address')),
    ('title', models.CharField(help_text='Shown to participants at the top.', max_length=200)),
    ('protocol', models.CharField(default='life_story', help_text='How the interview is led. This decides which material and options the bot has.', max_length=40, verbose_name='kind of interview')),
    ('status', models.CharField(choices=[('draft', 'Draft'), ('live', 'Live'), ('closed', 'Closed')], default='draft', help_text='Draft: nobody can start. Live: participants can start. Closed: nobody new can start, but interviews under way can be finished.', max_length=10)),
    ('public', models.BooleanField(default=True, help_text='If off, only people with the link can find it.', verbose_name='listed on the home page')),
    ('is_default', models.BooleanField(default=False, help_text='Used when a program starts an interview without naming a bot. One bot only.', verbose_name="the site's default")),
    ('host', models.CharField(blank=True, help_text="The person or organisation responsible for the interviews. People speak more freely when they know who is asking. Leave empty to use the site's.", max_length=200, verbose_name='who runs it')),
    ('persona', models.TextField(blank=True, help_text='Who the interviewer is and how it speaks: warmth, pace, formality, and what it never does. The model reads this before every sentence.')),
    ('minutes', models.PositiveIntegerField(default=20, help_text='How long one interview takes. Participants are told before they start, so be generous.', validators=[MinValueValidator(1)])),
    ('opens_at', models.DateTimeField(blank=True, help_text='Nobody can start before. Leave empty to open now.', null=True, verbose_name='opens')),
    ('closes_at', models.DateTimeField(blank=True, help_text='Interviews under way can still be finished. Leave empty to stay open.', null=True, verbose_name='closes')),
    ('hours_from', models.TimeField(blank=True, help_text='Nobody can start before this time of day. Leave empty for any time.', null=True, verbose_name='open from')),
    ('hours_to', models.TimeField(blank=True, help_text='Nobody can start from this time of day on. It can be after midnight.', null=True, verbose_name='open until')),
    ('time_zone', models.CharField(default='UTC', help_text='The time zone of these hours, such as Europe/Rome.', max_length=60)),
    ('quota', models.PositiveIntegerField(blank=True, help_text='How many interviews you want. Once that many are finished or under way, nobody else can start. Leave empty for no limit.', null=True, validators=[MinValueValidator(1)])),
    ('invited_only', models.BooleanField(default=False, help_text='If on, only people with a personal invitation can start.', verbose_name='invitation only')),
    ('invitation_reuse', models.CharField(choices=[('resume', 'Continues the interview'), ('refuse', 'Is refused')], default='resume', help_text='People switch between phone and computer. Refuse only if links must not be shared.', max_length=10, verbose_name='an invitation opened in a second browser')),
    ('link_params', models.JSONField(blank=True, default=list)),
    ('outcomes', models.JSONField(blank=True, default=dict)),
    ('alert_to', models.TextField(blank=True, help_text='E-mail addresses to alert when somebody seems to be in distress, one per line.', verbose_name='safety contact')),
    ('session_budget', models.DecimalField(blank=True, decimal_places=2, help_text='In US dollars, for models. Once it is spent, the interview continues without one. Leave empty for no separate limit.', max_digits=8, null=True, validators=[MinValueValidator(0)], verbose_name='budget per interview')),
    ('day_budget', models.DecimalField(blank=True, decimal_places=2, help_text="In US dollars, for models in all of the bot's interviews within 24 hours. Leave empty for no separate limit.", max_digits=8, null=True, validators=[MinValueValidator(0)], verbose_name='budget per day')),
    ('keeps_paradata', models.BooleanField(default=True, help_text='Times, edits, pastes and switching away; never keystrokes. Participants are told before they start.', verbose_name='records how answers are written')),
    ('asks_rating', models.BooleanField(default=True, help_text='Two short questions after the interview.', verbose_name='asks for a rating')),
    ('dictation', models.BooleanField(default=True, help_text='A button beside the text box. Participants can correct the text before they send it.', verbose_name='allows dictation')),
    ('read_aloud', models.BooleanField(default=True, help_text="A button that reads the interviewer's words to participants.", verbose_name='allows reading aloud')),
    ('options', models.JSONField(blank=True, default=dict)),
    ('model_overrides', models.JSONField(blank=True, default=dict)),
    ('expert_reflections', models.CharField(blank=True, choices=[('', 'Default for this kind of interview'), ('yes', 'Yes'), ('no', 'No')], default='', help_text='Each of the site’s experts writes observations about the person, with the quotes they rest on. This needs a model and one call per expert. By default, experts read life stories only.', max_length=3, verbose_name='experts read finished interviews')),
    ('created_at', models.DateTimeField(auto_now_add=True)),
    ('updated_at', models.DateTimeField(auto_now=True)),
    ('calibrates_replicas', models.BooleanField(default=False, help_text='Once all results are ready, a replica answers questions held out of the interview, and its agreement is measured. This needs a model and many calls: about six per question held out, and one per expert.', verbose_name='calibrate a replica after each interview')),
    ('contact', models.EmailField(blank=True, help_text="Where participants can ask questions. Leave empty to use the site's.", max_length=254)),
    ('demo', models.BooleanField(default=False, help_text='Participants are told that this is a demo, and nobody has to be named. Switch this off before you run a study.', verbose_name='a demo')),
    ('shows_consent', models.BooleanField(default=False, help_text='If on, it stands open on the start page, as some ethics boards require. Otherwise participants open it by “Read the details”.', verbose_name='shows the whole consent text')),
    ('recruitment', models.CharField(choices=[('link', 'An open link'), ('prolific', 'Prolific'), ('panel', 'Another panel'), ('invitations', 'Personal invitations')], default='link', help_text='The checklist follows from it: a panel needs a completion code to pay people.', max_length=12, verbose_name='where participants come from')),
    ('cells_only', models.BooleanField(default=False, help_text='If on, people who fit none of the cells are turned away.', verbose_name='only people in a quota cell')),
    ('quota_cells', models.JSONField(blank=True, default=list)),
    ('concept', models.ForeignKey(blank=True, help_text='What the interview explores.', null=True, on_delete=PROTECT, related_name='bots', to='plans.ladderconcept')),
    ('methodology', models.ForeignKey(blank=True, help_text='How it explores it: the ladder and the ways of asking.', null=True, on_delete=PROTECT, related_name='bots', to='plans.laddermethodology')),
    ('scripts', models.ManyToManyField(blank=True, help_text='One for each language participants can choose.', related_name='bots', to='plans.script')),
]
BACKLOGQUESTION = [
    ID,
    ('key', models.CharField(help_text="Short name that identifies answers in exports. Don't change it once interviews have started.", max_length=60, validators=[RegexValidator('^(?!followup-|discovered-)[-a-zA-Z0-9_]+$', "Use letters, digits, - and _. Keys can't start with followup- or discovered-: those are for questions that come up in interviews.")])),
    ('text', models.CharField(help_text='One question, as you would ask it yourself.', max_length=500, verbose_name='question')),
    ('priority', models.CharField(choices=[('P0', 'P0, asked first'), ('P1', 'P1, asked next'), ('P2', 'P2, not asked (open point)')], default='P1', max_length=2)),
    ('origin', models.CharField(choices=[('ANALYSIS', 'Analysis'), ('ADMIN', 'Admin')], default='ADMIN', max_length=10)),
    ('why', models.CharField(blank=True, help_text="What the documents leave out. The interviewer reads this; participants don't.", max_length=500)),
    ('sources', models.JSONField(blank=True, default=list)),
    ('position', models.PositiveIntegerField(db_index=True, default=0)),
    ('bot', models.ForeignKey(on_delete=CASCADE, related_name='backlog', to='plans.bot')),
]
BOTTEXT = [
    ID,
    ('language', models.CharField(default='en', max_length=12)),
    ('title', models.CharField(blank=True, help_text='In this language. Leave empty to use the one under Basics.', max_length=200)),
    ('host', models.CharField(blank=True, help_text='In this language. Leave empty to use the one under Basics.', max_length=200, verbose_name='who runs it')),
    ('summary', models.TextField(blank=True, help_text='What the interview is about, in two or three sentences on the start page. This is where people decide whether to take part.')),
    ('consent', models.TextField(blank=True, help_text='What participants agree to before the first question: what is stored, who reads it, how to stop.')),
    ('about', models.TextField(blank=True, help_text='The answer when a participant asks who runs the interview, whether this is a person, or how the data is used. Only this text is used.')),
    ('care', models.TextField(blank=True, help_text="Said word for word when somebody seems to be in distress. Say where to find help in the participants' country.")),
    ('bot', models.ForeignKey(on_delete=CASCADE, related_name='texts', to='plans.bot')),
]
DATAFIELD = [
    ID,
    ('key', models.SlugField(help_text='Short name, used as a column in the contact data file.', max_length=60)),
    ('kind', models.CharField(choices=[('name', 'Name'), ('email', 'E-mail address'), ('phone', 'Phone number'), ('company', 'Company'), ('role', 'Role'), ('free', 'Free text')], default='free', help_text='Decides how answers are checked.', max_length=10)),
    ('label', models.CharField(help_text="What the interviewer calls it, in the interview's language.", max_length=200, verbose_name='name')),
    ('position', models.PositiveIntegerField(db_index=True, default=0)),
    ('bot', models.ForeignKey(on_delete=CASCADE, related_name='data_fields', to='plans.bot')),
]
EXPERIMENT = [
    ID,
    ('slug', models.SlugField(help_text='The last part of the link, /e/address/.', unique=True, verbose_name='address')),
    ('title', models.CharField(help_text='For you only. Participants see the bot’s.', max_length=200)),
    ('status', models.CharField(choices=[('draft', 'Draft'), ('live', 'Live'), ('closed', 'Closed')], default='draft', help_text='Draft: the link doesn’t work yet. Closed: nobody new can start. Arms can only be changed in a draft that nobody has started.', max_length=10)),
    ('rounds', models.PositiveSmallIntegerField(default=1, help_text='A block holds each arm as often as its weight says, times this number, in random order. Small blocks keep the arms even, large ones are harder to foresee.', validators=[MinValueValidator(1), MaxValueValidator(20)], verbose_name='rounds in a block')),
    ('strata', models.JSONField(blank=True, default=list, help_text='Names of link parameters or start questions, such as gender. Each combination of their values gets blocks of its own.', validators=[plans.models.experiment.check_strata], verbose_name='even within')),
    ('seed', models.PositiveIntegerField(default=plans.models.experiment.new_seed, help_text='The order of the arms follows from it. Report it in papers.')),
    ('created_at', models.DateTimeField(auto_now_add=True)),
]
SECTION = [
    ID,
    ('key', models.SlugField(help_text="Short name, the same in every language. Bots use it to leave a section out, and it is a column in exports. Don't change it once interviews have started.", max_length=60)),
    ('title', models.CharField(help_text='For you, in the preview and in exports. It is never said.', max_length=200)),
    ('position', models.PositiveIntegerField(db_index=True, default=0)),
    ('script', models.ForeignKey(on_delete=CASCADE, related_name='sections', to='plans.script')),
]
TOPIC = [
    ID,
    ('key', models.SlugField(help_text="Short name that identifies answers in exports. Don't change it once interviews have started.", max_length=60)),
    ('label', models.CharField(help_text='What it is about, in words that fit after “Let us turn to …”.', max_length=200, verbose_name='topic')),
    ('position', models.PositiveIntegerField(db_index=True, default=0)),
    ('bot', models.ForeignKey(on_delete=CASCADE, related_name='topics', to='plans.bot')),
]
QUESTION = [
    ID,
    ('key', models.SlugField(help_text="Short name, the same in every language. It identifies answers in exports. Don't change it once interviews have started.", max_length=60)),
    ('text', models.TextField(help_text='As the interviewer asks it: open, and about one thing at a time.', verbose_name='question')),
    ('objective', models.TextField(help_text="What the interviewer must learn before moving on. It probes until this is met, so name facts and meaning. Don't repeat the question.")),
    ('guidance', models.TextField(blank=True, help_text='How to ask, what to listen for, what to leave alone.')),
    ('probes', models.TextField(blank=True, help_text='One or two follow-up questions for this question, one per line, used in life stories. Without a model, short answers get them in this order; with a model, they are suggestions.')),
    ('block_seconds', models.PositiveIntegerField(default=300, help_text='Time for this question with all its follow-ups. When it is up, the interview moves on.', validators=[MinValueValidator(30), MaxValueValidator(7200)], verbose_name='seconds')),
    ('position', models.PositiveIntegerField(db_index=True, default=0)),
    ('section', models.ForeignKey(on_delete=CASCADE, related_name='questions', to='plans.section')),
]
SUBGOAL = [
    ID,
    ('text', models.CharField(help_text='A noun phrase that fits after “Could you tell me about …?”, such as “the moment you made up your mind”.', max_length=300, verbose_name='sub-goal')),
    ('question', models.CharField(blank=True, help_text='One open question in everyday words. Without a model it is asked exactly as written. Leave it empty to have a model draft it, if one is configured.', max_length=500)),
    ('position', models.PositiveIntegerField(db_index=True, default=0)),
    ('topic', models.ForeignKey(on_delete=CASCADE, related_name='sub_goals', to='plans.topic')),
]


class Migration(migrations.Migration):
    replaces = [('plans', name) for name in (
        '0001_initial', '0002_topics', '0003_jobs', '0004_knowledge', '0005_ladders', '0006_after',
        '0007_entrance', '0008_texts_with_titles', '0009_sub_goal_questions',
        '0010_question_probes', '0011_replica_calibration', '0012_site_identity',
        '0013_recruitment', '0014_experiments', '0015_quota_cells',
    )]
    initial = True
    dependencies = [migrations.swappable_dependency(settings.AUTH_USER_MODEL)]
    operations = [
        migrations.CreateModel('LadderConcept', LADDERCONCEPT, {'ordering': ['name'], 'verbose_name': 'concept'}),
        migrations.CreateModel('LadderMethodology', LADDERMETHODOLOGY, {'ordering': ['name'], 'verbose_name': 'methodology', 'verbose_name_plural': 'methodologies'}),
        migrations.CreateModel('Script', SCRIPT, {'ordering': ['name', 'language'], 'constraints': [
            models.UniqueConstraint(fields=('name', 'language'), name='script_name_once_a_language'),
        ]}),
        migrations.CreateModel('Bot', BOT, {'ordering': ['title'], 'constraints': [
            models.UniqueConstraint(condition=models.Q(('is_default', True)), fields=('is_default',), name='one_default_bot', violation_error_message="Another bot is the site's default."),
        ]}),
        migrations.CreateModel('BacklogQuestion', BACKLOGQUESTION, {'ordering': ['position', 'id'], 'constraints': [
            models.UniqueConstraint(fields=('bot', 'key'), name='backlog_key_once_a_bot'),
        ]}),
        migrations.CreateModel('BotText', BOTTEXT, {'ordering': ['language'], 'constraints': [
            models.UniqueConstraint(fields=('bot', 'language'), name='bot_text_once_a_language'),
        ]}),
        migrations.CreateModel('DataField', DATAFIELD, {'ordering': ['position', 'id'], 'constraints': [
            models.UniqueConstraint(fields=('bot', 'key'), name='data_field_key_once_a_bot'),
        ]}),
        migrations.CreateModel('Document', [
            ID,
            *JOB,
            ('name', models.CharField(max_length=120)),
            ('kind', models.CharField(blank=True, max_length=10)),
            ('size', models.PositiveIntegerField()),
            ('digest', models.CharField(max_length=64)),
            ('edited', models.BooleanField(default=False)),
            ('created_at', models.DateTimeField(auto_now_add=True)),
            ('updated_at', models.DateTimeField(auto_now=True)),
            ('bot', models.ForeignKey(on_delete=CASCADE, related_name='documents', to='plans.bot')),
        ], {'ordering': ['bot_id', 'id'], 'constraints': [
            models.CheckConstraint(condition=models.Q(models.Q(('status', 'running'), _negated=True), ('claim__isnull', False), _connector='OR'), name='running_document_is_claimed'),
            models.UniqueConstraint(fields=('bot', 'name'), name='document_name_once_a_bot'),
            models.UniqueConstraint(fields=('bot', 'digest'), name='document_content_once_a_bot'),
        ]}),
        migrations.CreateModel('DocumentFile', [
            ID,
            ('content', models.BinaryField()),
            ('document', models.OneToOneField(on_delete=CASCADE, related_name='file', to='plans.document')),
        ], {'default_permissions': ()}),
        migrations.CreateModel('DocumentPart', [
            ID,
            ('number', models.PositiveIntegerField()),
            ('place', models.CharField(max_length=300)),
            ('text', models.TextField()),
            ('document', models.ForeignKey(on_delete=CASCADE, related_name='parts', to='plans.document')),
        ], {'ordering': ['document_id', 'number'], 'default_permissions': (), 'constraints': [
            models.UniqueConstraint(fields=('document', 'number'), name='part_number_once'),
        ]}),
        migrations.CreateModel('Experiment', EXPERIMENT, {'ordering': ['title']}),
        migrations.CreateModel('Plan', [
            ID,
            ('number', models.PositiveIntegerField(help_text='The version of this bot: 1, 2, 3 …')),
            ('signature', models.CharField(max_length=64)),
            ('protocol', models.CharField(max_length=40)),
            ('content', models.JSONField()),
            ('created_at', models.DateTimeField(auto_now_add=True)),
            ('bot', models.ForeignKey(null=True, on_delete=SET_NULL, related_name='plans', to='plans.bot')),
        ], {'ordering': ['bot', '-number'], 'constraints': [
            models.UniqueConstraint(fields=('bot', 'number'), name='plan_number_once_a_bot'),
            models.UniqueConstraint(fields=('bot', 'signature'), name='plan_signature_once_a_bot'),
        ]}),
        migrations.CreateModel('ExperimentArm', [
            ID,
            ('name', models.CharField(help_text='As it is called in exports.', max_length=60)),
            ('weight', models.PositiveSmallIntegerField(default=1, validators=[MinValueValidator(1), MaxValueValidator(20)])),
            ('target', models.PositiveIntegerField(blank=True, help_text='Completed interviews wanted. Leave empty for no limit.', null=True, validators=[MinValueValidator(1)])),
            ('bot', models.ForeignKey(on_delete=PROTECT, related_name='arms', to='plans.bot')),
            ('experiment', models.ForeignKey(on_delete=CASCADE, related_name='arms', to='plans.experiment')),
            ('plan', models.ForeignKey(blank=True, help_text='Leave empty for the bot as it is now.', null=True, on_delete=PROTECT, related_name='+', to='plans.plan', verbose_name='version')),
        ], {'ordering': ['experiment', 'id'], 'constraints': [
            models.UniqueConstraint(fields=('experiment', 'name'), name='arm_name_once'),
        ]}),
        migrations.CreateModel('Section', SECTION, {'ordering': ['position', 'id'], 'constraints': [
            models.UniqueConstraint(fields=('script', 'key'), name='section_key_once_a_script'),
        ]}),
        migrations.CreateModel('Topic', TOPIC, {'ordering': ['position', 'id'], 'constraints': [
            models.UniqueConstraint(fields=('bot', 'key'), name='topic_key_once_a_bot'),
        ]}),
        migrations.CreateModel('Intelligence', [
            ID,
            *JOB,
            ('signature', models.CharField(max_length=64)),
            ('edited', models.BooleanField(default=False)),
            ('updated_at', models.DateTimeField(auto_now=True)),
            ('bot', models.ForeignKey(on_delete=CASCADE, related_name='intelligence', to='plans.bot')),
        ], {'verbose_name': 'topic guides', 'verbose_name_plural': 'topic guides', 'ordering': ['-updated_at'], 'constraints': [
            models.CheckConstraint(condition=models.Q(models.Q(('status', 'running'), _negated=True), ('claim__isnull', False), _connector='OR'), name='running_intelligence_is_claimed'),
            models.UniqueConstraint(fields=('bot', 'signature'), name='intelligence_once_a_bot'),
        ]}),
        migrations.CreateModel('ProjectContext', [
            ID,
            *JOB,
            ('signature', models.CharField(blank=True, max_length=64)),
            ('edited', models.BooleanField(default=False)),
            ('updated_at', models.DateTimeField(auto_now=True)),
            ('bot', models.OneToOneField(on_delete=CASCADE, related_name='project_context', to='plans.bot')),
        ], {'constraints': [
            models.CheckConstraint(condition=models.Q(models.Q(('status', 'running'), _negated=True), ('claim__isnull', False), _connector='OR'), name='running_projectcontext_is_claimed'),
        ]}),
        migrations.CreateModel('Question', QUESTION, {'ordering': ['position', 'id'], 'constraints': [
            models.UniqueConstraint(fields=('section', 'key'), name='question_key_once_a_section'),
            models.CheckConstraint(condition=models.Q(('block_seconds__gte', 30)), name='question_block_of_30_seconds_or_more'),
        ]}),
        migrations.CreateModel('RewardCode', [
            ID,
            ('code', models.CharField(max_length=200)),
            ('drawn_for', models.UUIDField(blank=True, help_text='The session that got it.', null=True)),
            ('drawn_at', models.DateTimeField(blank=True, null=True)),
            ('bot', models.ForeignKey(on_delete=CASCADE, related_name='reward_codes', to='plans.bot')),
        ], {'ordering': ['id'], 'constraints': [
            models.UniqueConstraint(fields=('bot', 'code'), name='reward_code_once_a_bot'),
            models.UniqueConstraint(fields=('drawn_for',), name='one_reward_code_a_session'),
        ]}),
        migrations.CreateModel('SiteIdentity', [
            ID,
            ('name', models.CharField(default='Interviewsite', help_text="Shown at the top of participants' pages and of this admin.", max_length=80, verbose_name='site name')),
            ('organisation', models.CharField(blank=True, help_text="The person or organisation responsible for the interviews. Bots that don't name their own use this one.", max_length=200)),
            ('contact', models.EmailField(blank=True, help_text="Where participants can ask questions. Bots that don't name their own use this one.", max_length=254)),
            ('privacy_url', models.CharField(blank=True, help_text="The address of your privacy notice, linked from participants' pages.", max_length=500, validators=[URLValidator(['https', 'http'])], verbose_name='privacy notice')),
            ('accent', models.CharField(blank=True, help_text="The colour of links and buttons on participants' pages, such as #0e4f55. It must be dark enough to read; on dark screens a lighter shade is used.", max_length=7, validators=[plans.models.site.check_accent], verbose_name='accent colour')),
            ('logo', models.BinaryField(blank=True, default=b'')),
            ('logo_type', models.CharField(blank=True, editable=False, max_length=20)),
        ], {'verbose_name': 'site', 'verbose_name_plural': 'site'}),
        migrations.CreateModel('SubGoal', SUBGOAL, {'ordering': ['position', 'id']}),
        history('BacklogQuestion', BACKLOGQUESTION, 'backlog question', 'backlog questions'),
        history('Bot', BOT, 'bot', 'bots'),
        migrations.CreateModel('HistoricalBot_scripts', [
            ('id', models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name='ID')),
            ('m2m_history_id', models.AutoField(primary_key=True, serialize=False)),
            ('bot', models.ForeignKey(blank=True, db_constraint=False, db_tablespace='', null=True, on_delete=DO_NOTHING, related_name='+', to='plans.bot')),
            ('history', models.ForeignKey(db_constraint=False, on_delete=DO_NOTHING, to='plans.historicalbot')),
            ('script', models.ForeignKey(blank=True, db_constraint=False, db_tablespace='', null=True, on_delete=DO_NOTHING, related_name='+', to='plans.script')),
        ], {'verbose_name': 'HistoricalBot_scripts'}, bases=(simple_history.models.HistoricalChanges, models.Model)),
        history('BotText', BOTTEXT, 'bot text', 'bot texts'),
        history('DataField', DATAFIELD, 'data field', 'data fields'),
        history('Experiment', EXPERIMENT, 'experiment', 'experiments'),
        history('LadderConcept', LADDERCONCEPT, 'concept', 'concepts'),
        history('LadderMethodology', LADDERMETHODOLOGY, 'methodology', 'methodologies'),
        history('Question', QUESTION, 'question', 'questions'),
        history('Script', SCRIPT, 'script', 'scripts'),
        history('Section', SECTION, 'section', 'sections'),
        history('SubGoal', SUBGOAL, 'sub goal', 'sub goals'),
        history('Topic', TOPIC, 'topic', 'topics'),
    ]
