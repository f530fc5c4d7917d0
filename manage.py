#!/usr/bin/env python
"""Django's command line: ``python manage.py serve`` (or ``runserver``) shows the tasks in a browser."""

from __future__ import annotations

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

from harness.kit.files.installation import check_system
from turkle_app.early_options import take_early_options

if __name__ == "__main__":
    check_system()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "turkle_app.settings")
    take_early_options("".join(sys.argv[1:2]), sys.argv[2:])
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        print(f"CommandError: {error}", file=sys.stderr)
        sys.exit(2)
