"""The WSGI application, for any WSGI server: ``waitress-serve turkle_app.wsgi:application``."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "turkle_app.settings")
application = get_wsgi_application()
