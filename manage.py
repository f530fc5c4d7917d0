#!/usr/bin/env python
"""Django's command line: ``python manage.py serve`` (or ``runserver``) shows the tasks in a browser."""

from __future__ import annotations

import sys

from turkle_app.command_line import main

if __name__ == "__main__":
    sys.exit(main())
