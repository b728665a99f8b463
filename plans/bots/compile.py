import hashlib
import json
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max
from pydantic import ValidationError

from plans.models import Bot, Plan
from plans.portability.problems import BrokenDocument
from plans.protocols import PROTOCOLS, PlanContent, Texts


class NotReady(Exception):
    """The bot can't be compiled yet; the message says what is missing."""


def compile_bot(bot: Bot) -> PlanContent[Any]:
    """Return the content of a plan for the bot as it is now. Raise NotReady."""
    protocol = PROTOCOLS.get(bot.protocol)
    if protocol is None:
        raise NotReady(f"There is no protocol “{bot.protocol}”.")
    content = protocol.content
    try:
        material = content.compile(bot)
    except ValidationError as error:
        raise NotReady(_first_error(error)) from error
    except BrokenDocument as error:
        raise NotReady(str(error)) from error
    return PlanContent[content.material](  # type: ignore[name-defined]
        protocol=bot.protocol,
        bot=bot.slug,
        title=bot.title,
        host=bot.host,
        persona=bot.persona,
        languages=content.languages(material),
        minutes=bot.minutes,
        texts=texts_of(bot),
        models=bot.model_overrides,
        material=material,
    )


def texts_of(bot: Bot) -> dict[str, Texts]:
    """Return what the bot says about itself, by language."""
    texts = bot.texts.all()
    return {text.language: Texts.model_validate(text, from_attributes=True) for text in texts}


def _first_error(error: ValidationError) -> str:
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place or 'bot'}: {first['msg']}"


def signature(content: PlanContent[Any]) -> str:
    canonical = json.dumps(
        content.model_dump(mode="json"), sort_keys=True, ensure_ascii=False, separators=(",", ":")
    )
    return hashlib.sha256(canonical.encode()).hexdigest()


def plan_for(bot: Bot) -> Plan:
    """Return the plan of the bot as it is now, stored if it is new. Raise NotReady."""
    content = compile_bot(bot)
    digest = signature(content)
    known = Plan.objects.filter(bot=bot, signature=digest).first()
    return known or _store(bot, content, digest)


def _store(bot: Bot, content: PlanContent[Any], digest: str) -> Plan:
    """Two processes may store at once; the constraints let one win, the other returns that row."""
    for _ in range(5):
        last = Plan.objects.filter(bot=bot).aggregate(last=Max("number"))["last"] or 0
        fields = {
            "number": last + 1,
            "protocol": bot.protocol,
            "content": content.model_dump(mode="json"),
        }
        try:
            with transaction.atomic():
                return Plan.objects.get_or_create(bot=bot, signature=digest, defaults=fields)[0]
        except IntegrityError:
            continue
    raise NotReady("Somebody else is changing the bot. Try again.")


def content_of(plan: Plan) -> PlanContent[Any]:
    material = PROTOCOLS[plan.protocol].content.material
    return PlanContent[material].model_validate(plan.content)  # type: ignore[valid-type]
