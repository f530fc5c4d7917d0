"""Commands of ``python manage.py``."""
