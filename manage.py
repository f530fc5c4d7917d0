#!/usr/bin/env python
"""Django's command line: ``python manage.py serve`` (or ``runserver``) shows the tasks in a browser."""

from __future__ import annotations

import os
import sys

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "turkle_app.settings")
    execute_from_command_line(sys.argv)
