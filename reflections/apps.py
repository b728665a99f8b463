from django.apps import AppConfig
from django.db.models.signals import post_delete, post_migrate


class ReflectionsConfig(AppConfig):
    name = "reflections"
    verbose_name = "Results"

    def ready(self) -> None:
        from interviews.exports.registry import register
        from interviews.exports.selection import CHANGES
        from reflections import products
        from reflections.calibration import exports
        from reflections.coding.exports import CODES, EXCERPTS
        from reflections.experts.makers import EXPERT_REFLECTION
        from reflections.experts.presets import create_presets
        from reflections.exports import statements
        from reflections.models import (
            Calibration,
            Excerpt,
            Reflection,
            ReportSource,
            ReviewStep,
            StudyReport,
        )
        from reflections.protocols import PROTOCOLS
        from reflections.summaries.makers import COMMON
        from reflections.themes.erasure import source_deleted
        from reflections.themes.exports import FINDINGS

        products.register(COMMON, common=True)
        products.register([EXPERT_REFLECTION])
        products.PROTOCOLS.update(PROTOCOLS)
        for results in PROTOCOLS.values():
            products.register(results.products)
            register(*results.tables)
        register(*statements.TABLES, *exports.TABLES)
        register(CODES, EXCERPTS, FINDINGS, position=95)
        CHANGES.extend(
            [
                (Reflection, "created_at", "session", "pk"),
                (Reflection, "finished_at", "session", "pk"),
                (ReviewStep, "at", "review__reflection__session", "pk"),
                (Calibration, "finished_at", "session", "pk"),
                (Excerpt, "created_at", "session", "pk"),
                (StudyReport, "finished_at", "sources__session", "pk"),
                (ReviewStep, "at", "review__report__sources__session", "pk"),
            ]
        )
        post_migrate.connect(create_presets, sender=self)
        post_delete.connect(source_deleted, sender=ReportSource)
