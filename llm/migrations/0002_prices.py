"""Prices of the default models: public list prices as estimates, for an admin to correct."""

from decimal import Decimal

from django.db import migrations

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
    dependencies = [("llm", "0001_initial")]
    operations = [migrations.RunPython(add, migrations.RunPython.noop)]
