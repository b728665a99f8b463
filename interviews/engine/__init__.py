"""What every protocol shares, pure: types, the pipeline, common rules, signals, intents, guards."""
