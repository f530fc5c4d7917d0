"""The Django app of tasks done by hand."""

from __future__ import annotations

from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    """Accounts, projects and assignments."""

    name = "turkle_app.annotation"
    label = "annotation"
    verbose_name = "Tasks done by hand"
    default_auto_field = "django.db.models.BigAutoField"
