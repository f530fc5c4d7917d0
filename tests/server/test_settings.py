from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.core.management.commands.runserver import Command as RunServer
from django.test import override_settings

PROJECT = Path(__file__).parents[2]


def read_settings(expression: str, **environment: str) -> subprocess.CompletedProcess[str]:
    code = f"from turkle_app import settings; print(({expression}))"
    env = {key: value for key, value in os.environ.items() if not key.startswith("TURKLE_")} | environment
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=PROJECT, env=env, capture_output=True, text=True, check=False)


def test_there_is_no_database_and_nothing_to_migrate() -> None:
    out = io.StringIO()
    RunServer(stdout=out, stderr=out).check_migrations()
    assert out.getvalue() == ""
    assert settings.INSTALLED_APPS == ["turkle_app"]


def test_a_missing_tasks_folder_is_found_by_the_system_check(tmp_path: Path) -> None:
    missing = override_settings(TURKLE_TASKS_DIR=tmp_path / "none", TURKLE_OVERLAY=None)
    with missing, pytest.raises(SystemCheckError, match="Set TURKLE_TASKS_DIR"):
        call_command("check")


def test_the_secret_key_differs_between_processes() -> None:
    assert read_settings("settings.SECRET_KEY").stdout != read_settings("settings.SECRET_KEY").stdout


def test_the_environment_configures_the_server() -> None:
    expression = (
        "str(settings.TURKLE_TASKS_DIR), settings.TURKLE_AGENT_MODE, settings.ROOT_URLCONF, settings.ALLOWED_HOSTS[-2:]"
    )
    result = read_settings(
        expression, TURKLE_TASKS_DIR="some/where", TURKLE_AGENT_MODE="1", TURKLE_ALLOWED_HOSTS="a.example, b.example"
    )
    expected = ("some/where", True, "turkle_app.agent_urls", ["a.example", "b.example"])
    assert result.stdout.strip() == str(expected)


def test_a_mode_that_is_neither_on_nor_off_is_refused() -> None:
    result = read_settings("settings.TURKLE_AGENT_MODE", TURKLE_AGENT_MODE="maybe")
    assert result.returncode != 0
    assert "TURKLE_AGENT_MODE is 'maybe': set it to 1 or 0." in result.stderr
