from decimal import Decimal

from django.db import migrations, models

from llm.migrations._fields import ID

# List prices of the default models, as estimates for an admin to correct
NOTE = "Estimate from the public list price; set it to your contract's."
PRICES = (
    # provider, prefix, input, output, cache read, cache write; per million tokens
    ("anthropic", "claude-sonnet-5", "2", "10", "0.20", "2.50"),
    ("anthropic", "claude-haiku-5", "0.10", "0.50", "0.01", "0.125"),
    ("anthropic", "claude-opus-5", "5", "25", "0.50", "6.25"),
    ("anthropic", "claude-opus-5-5", "4", "20", "0.20", "5"),
    ("anthropic", "claude-haiku-4-5", "1", "5", "0.10", "1.25"),
    ("anthropic", "claude-sonnet-4", "3", "15", "0.30", "3.75"),
    ("openai", "gpt-6.1-terra", "1", "5", "0.10", "1.25"),
    ("openai", "gpt-6.1-sol", "2", "10", "0.20", "2.50"),
    ("openai", "gpt-6-luna", "0.10", "0.50", "0.01", "0.125"),
    ("openai", "gpt-5.4-mini", "0.75", "4.50", "0.075", "0"),
    ("together", "meta-llama/Llama-3.3-70B-Instruct-Turbo", "0.88", "0.88", "0", "0"),
    ("together", "meta-llama/Meta-Llama-3.1-8B-Instruct-Turbo", "0.18", "0.18", "0", "0"),
)


def add(apps, schema_editor):
    price = apps.get_model("llm", "LLMPrice")
    for provider, prefix, read, written, cache_read, cache_write in PRICES:
        price.objects.get_or_create(
            provider=provider,
            model_prefix=prefix,
            defaults={
                "input": Decimal(read),
                "output": Decimal(written),
                "cache_read": Decimal(cache_read),
                "cache_write": Decimal(cache_write),
                "note": NOTE,
            },
        )


class Migration(migrations.Migration):
    replaces = [('llm', name) for name in (
        '0001_initial', '0002_prices', '0003_spending',
    )]
    initial = True
    dependencies = []
    operations = [
        migrations.CreateModel('LLMCall', [
            ID,
            ('session', models.CharField(blank=True, db_index=True, editable=False, max_length=36)),
            ('turn', models.IntegerField(blank=True, help_text='Number of the turn.', null=True)),
            ('bot', models.CharField(blank=True, max_length=100)),
            ('task', models.CharField(max_length=100)),
            ('template_version', models.CharField(blank=True, max_length=20)),
            ('provider', models.CharField(max_length=40)),
            ('model', models.CharField(max_length=200)),
            ('tier', models.CharField(max_length=10)),
            ('request', models.JSONField(default=dict)),
            ('response', models.TextField(blank=True)),
            ('input_tokens', models.PositiveIntegerField(default=0, help_text='Outside the cache.')),
            ('output_tokens', models.PositiveIntegerField(default=0)),
            ('cache_read_tokens', models.PositiveIntegerField(default=0)),
            ('cache_write_tokens', models.PositiveIntegerField(default=0)),
            ('cost', models.DecimalField(blank=True, decimal_places=8, help_text='By the price table; empty for a model without a price.', max_digits=14, null=True)),
            ('first_token_ms', models.PositiveIntegerField(blank=True, null=True, verbose_name='first token, ms')),
            ('total_ms', models.PositiveIntegerField(default=0, verbose_name='total, ms')),
            ('attempt', models.PositiveSmallIntegerField(default=1)),
            ('outcome', models.CharField(choices=[('ok', 'usable'), ('repaired', 'usable after it was sent back with its errors'), ('invalid', 'not of the form asked for'), ('empty', 'empty'), ('truncated', 'cut off at the length limit'), ('refused', 'refused by the model'), ('error', 'failed'), ('timeout', 'too slow'), ('cancelled', 'not wanted any more')], max_length=12)),
            ('error', models.TextField(blank=True)),
            ('created_at', models.DateTimeField(db_index=True)),
        ], {'verbose_name': 'model call', 'ordering': ('-created_at', '-id'), 'indexes': [
            models.Index(fields=['bot', 'created_at'], name='llm_call_bot_time'),
        ]}),
        migrations.CreateModel('LLMPrice', [
            ID,
            ('provider', models.CharField(max_length=40)),
            ('model_prefix', models.CharField(help_text="How the model's name begins.", max_length=200)),
            ('input', models.DecimalField(decimal_places=4, help_text='Per million tokens.', max_digits=10)),
            ('output', models.DecimalField(decimal_places=4, help_text='Per million tokens.', max_digits=10)),
            ('cache_read', models.DecimalField(decimal_places=4, default=0, help_text='Per million tokens.', max_digits=10)),
            ('cache_write', models.DecimalField(decimal_places=4, default=0, help_text='Per million tokens.', max_digits=10)),
            ('currency', models.CharField(default='USD', max_length=3)),
            ('note', models.CharField(blank=True, help_text='Where the figure is from.', max_length=200)),
        ], {'verbose_name': 'price', 'ordering': ('provider', 'model_prefix'), 'constraints': [
            models.UniqueConstraint(fields=('provider', 'model_prefix'), name='llm_price_unique_prefix'),
        ]}),
        migrations.CreateModel('Spending', [
            ID,
            ('account', models.CharField(blank=True, max_length=40)),
            ('hour', models.DateTimeField(db_index=True)),
            ('cost', models.DecimalField(decimal_places=8, default=0, max_digits=16)),
        ], {'verbose_name': 'spending', 'verbose_name_plural': 'spending', 'ordering': ('-hour', 'account'), 'constraints': [
            models.UniqueConstraint(fields=('account', 'hour'), name='llm_spending_once_an_hour'),
        ]}),
        migrations.RunPython(add, migrations.RunPython.noop),
    ]
