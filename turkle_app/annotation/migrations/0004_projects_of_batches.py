"""Each project of before keeps its number and gets one batch of the same number, with its assignments and help."""

import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.core.management.color import no_style
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models import Q


def make_batches(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Give each project a batch of its number, so that what points at the project points at the batch."""
    project_model, batch_model = (apps.get_model("annotation", name) for name in ("Project", "Batch"))
    for project in project_model.objects.order_by("pk"):
        batch_model.objects.create(
            pk=project.pk,
            project=project,
            name="Batch 1",
            task=project.task,
            state="published" if project.active else "paused",
            assignments_per_instance=project.assignments_per_instance,
            expiry_seconds=project.expiry_seconds,
            fingerprint=project.fingerprint,
            published_at=project.created,
            created_by_id=project.created_by_id,
        )
        batch_model.objects.filter(pk=project.pk).update(created=project.created)  # which creating sets to now
    connection = schema_editor.connection
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), [batch_model]):
            cursor.execute(statement)
    connection.check_constraints()  # PostgreSQL changes no table while checks of its rows are still to be made


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("annotation", "0003_batches"),
    ]

    operations = [
        migrations.DeleteModel(name="Batch"),
        migrations.CreateModel(
            name="Batch",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=200)),
                ("task", models.CharField(max_length=255)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("draft", "Draft"),
                            ("published", "Published"),
                            ("paused", "Paused"),
                            ("closed", "Closed"),
                        ],
                        default="draft",
                        max_length=9,
                    ),
                ),
                (
                    "assignments_per_instance",
                    models.PositiveIntegerField(
                        default=1,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(1000),
                        ],
                    ),
                ),
                (
                    "expiry_seconds",
                    models.PositiveIntegerField(
                        default=3600,
                        validators=[
                            django.core.validators.MinValueValidator(60),
                            django.core.validators.MaxValueValidator(2592000),
                        ],
                    ),
                ),
                ("fingerprint", models.CharField(blank=True, max_length=64)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("published_at", models.DateTimeField(null=True)),
                ("closed_at", models.DateTimeField(null=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="batches", to="annotation.project"
                    ),
                ),
            ],
            options={"ordering": ["id"], "verbose_name_plural": "batches"},
        ),
        migrations.AddConstraint(
            model_name="batch",
            constraint=models.UniqueConstraint(fields=("project", "name"), name="one_name_a_batch"),
        ),
        migrations.RunPython(make_batches),
        migrations.RemoveConstraint(model_name="assignment", name="one_assignment_an_instance_and_worker"),
        migrations.RemoveConstraint(model_name="assignment", name="one_claim_a_project_and_worker"),
        migrations.RemoveIndex(model_name="assignment", name="assignment_places"),
        migrations.RenameField(model_name="assignment", old_name="project", new_name="batch"),
        migrations.AlterField(
            model_name="assignment",
            name="batch",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="assignments", to="annotation.batch"
            ),
        ),
        migrations.AddConstraint(
            model_name="assignment",
            constraint=models.UniqueConstraint(
                condition=Q(("state__in", ["claimed", "submitted"])),
                fields=("batch", "instance_id", "worker"),
                name="one_assignment_an_instance_and_worker",
            ),
        ),
        migrations.AddConstraint(
            model_name="assignment",
            constraint=models.UniqueConstraint(
                condition=Q(("state", "claimed")), fields=("batch", "worker"), name="one_claim_a_batch_and_worker"
            ),
        ),
        migrations.AddIndex(
            model_name="assignment",
            index=models.Index(fields=["batch", "state", "instance_id"], name="assignment_places"),
        ),
        migrations.RenameField(model_name="copilot", old_name="project", new_name="batch"),
        migrations.AlterField(
            model_name="copilot",
            name="batch",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE, related_name="copilot", to="annotation.batch"
            ),
        ),
        migrations.RemoveField(model_name="project", name="task"),
        migrations.RemoveField(model_name="project", name="assignments_per_instance"),
        migrations.RemoveField(model_name="project", name="expiry_seconds"),
        migrations.RemoveField(model_name="project", name="active"),
        migrations.RemoveField(model_name="project", name="fingerprint"),
        migrations.AddField(model_name="project", name="anonymous", field=models.BooleanField(default=False)),
        migrations.AddField(
            model_name="project",
            name="requesters",
            field=models.ManyToManyField(blank=True, related_name="requested_projects", to=settings.AUTH_USER_MODEL),
        ),
    ]
