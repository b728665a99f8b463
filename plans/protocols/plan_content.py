from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from plans.models import Bot

PLAN_LOGIC = 1  # raised when the same bot would compile to a different plan


class Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


def option(default: Any, title: str, description: str = "", **more: Any) -> Any:
    """Return an option's field, with what forms call it and say of it."""
    return Field(default, title=title, description=description or None, **more)


def languages_option(note: str) -> Any:
    languages = "Languages of the interview, as tags separated by commas: en, it."
    return option(("en",), "Languages", f"{languages} {note}")


class Texts(Frozen):
    """What the bot says about itself in one language; empty title or host: the bot's own."""

    title: str = ""
    host: str = ""
    summary: str = ""
    consent: str = ""
    about: str = ""
    care: str = ""


Material = TypeVar("Material", bound=Frozen)


class PlanContent(Frozen, Generic[Material]):
    """A compiled bot; `material` is the protocol's own part."""

    logic: int = PLAN_LOGIC
    protocol: str
    bot: str  # slug
    title: str
    host: str = ""
    persona: str = ""
    languages: tuple[str, ...]
    minutes: int
    texts: dict[str, Texts] = {}
    models: dict[str, str] = {}  # tier or task name -> model
    material: Material

    def texts_in(self, language: str) -> Texts:
        return self.texts.get(language) or Texts()

    def title_in(self, language: str) -> str:
        return self.texts_in(language).title or self.title


Options = TypeVar("Options", bound=Frozen)


def stored_options(options_type: type[Options], bot: Bot) -> Options:
    """Return the bot's options, or the defaults if the stored ones aren't valid."""
    try:
        return options_type.model_validate(bot.options)
    except ValidationError:
        return options_type()
