from django.db import migrations, models
from django.db.models.deletion import CASCADE, SET_NULL

from llm.migrations._fields import ID, JOB


class Migration(migrations.Migration):
    dependencies = [
        ('interviews', '0017_access'),
        ('plans', '0017_retention'),
        ('reflections', '0006_evaluations'),
    ]
    operations = [
        migrations.CreateModel('CodebookCode', [
            ID,
            ('name', models.CharField(max_length=100)),
            ('description', models.TextField(blank=True)),
            ('created_by', models.CharField(max_length=150)),
            ('created_at', models.DateTimeField(auto_now_add=True)),
            ('bot', models.ForeignKey(on_delete=CASCADE, related_name='codebook', to='plans.bot')),
            ('parent', models.ForeignKey(blank=True, null=True, on_delete=SET_NULL, related_name='children', to='reflections.codebookcode')),
        ], {'ordering': ['name', 'id'], 'default_permissions': [], 'verbose_name': 'code of a codebook', 'verbose_name_plural': 'codes of codebooks'}),
        migrations.CreateModel('CodeSuggestions', [
            ID,
            *JOB,
            ('created_by', models.CharField(max_length=150)),
            ('created_at', models.DateTimeField(auto_now_add=True)),
            ('session', models.OneToOneField(on_delete=CASCADE, related_name='code_suggestions', to='interviews.session')),
        ], {'verbose_name_plural': 'code suggestions', 'default_permissions': []}),
        migrations.CreateModel('Excerpt', [
            ID,
            ('start', models.PositiveIntegerField()),
            ('end', models.PositiveIntegerField()),
            ('memo', models.TextField(blank=True)),
            ('suggested', models.BooleanField(default=False)),
            ('created_by', models.CharField(max_length=150)),
            ('created_at', models.DateTimeField(auto_now_add=True)),
            ('code', models.ForeignKey(on_delete=CASCADE, related_name='excerpts', to='reflections.codebookcode')),
            ('entry', models.ForeignKey(on_delete=CASCADE, related_name='excerpts', to='interviews.transcriptentry')),
            ('session', models.ForeignKey(on_delete=CASCADE, related_name='excerpts', to='interviews.session')),
        ], {'ordering': ['session', 'entry', 'start', 'id'], 'default_permissions': ['view', 'change']}),
        migrations.AddConstraint('codebookcode', models.UniqueConstraint(fields=('bot', 'name'), name='codebook_name_once_a_bot')),
        migrations.AddConstraint('codebookcode', models.CheckConstraint(condition=models.Q(('parent', None), models.Q(('parent', models.F('id')), _negated=True), _connector='OR'), name='code_is_not_below_itself')),
        migrations.AddConstraint('codesuggestions', models.CheckConstraint(condition=models.Q(models.Q(('status', 'running'), _negated=True), ('claim__isnull', False), _connector='OR'), name='running_codesuggestions_is_claimed')),
        migrations.AddConstraint('excerpt', models.UniqueConstraint(fields=('entry', 'code', 'start', 'end'), name='excerpt_once_a_code')),
        migrations.AddConstraint('excerpt', models.CheckConstraint(condition=models.Q(('end__gt', models.F('start'))), name='excerpt_is_not_empty')),
    ]
