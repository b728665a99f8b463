import django.core.validators
from django.db import migrations, models

FIELDS = {
    'keep_calls_days': models.PositiveIntegerField(blank=True, help_text='Days after an interview’s end. The log holds each prompt and reply, so people’s words. Leave empty to delete by hand.', null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(36500)], verbose_name='delete model calls after'),
    'keep_contact_days': models.PositiveIntegerField(blank=True, help_text='Days after an interview’s end. Encrypted values are deleted, and so are an invitation’s name and address; the interview stays. Leave empty to delete by hand.', null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(36500)], verbose_name='delete contact details after'),
    'keep_days': models.PositiveIntegerField(blank=True, help_text='Days after an interview’s end. It is deleted whole, with its results; counts stay. Leave empty to delete by hand.', null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(36500)], verbose_name='delete interviews after'),
}


class Migration(migrations.Migration):
    dependencies = [
        ('plans', '0016_teams'),
    ]
    operations = [
        migrations.AddField(model, name, field)
        for model in ('bot', 'historicalbot')
        for name, field in FIELDS.items()
    ]
