#!/usr/bin/env python
"""Django's command line: ``python manage.py serve`` (or ``runserver``) shows the tasks in a browser."""

from __future__ import annotations

import os
import sys

from django.core.management import execute_from_command_line

from turkle_app.early_options import take_early_options

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "turkle_app.settings")
    take_early_options(sys.argv[2:])
    execute_from_command_line(sys.argv)
