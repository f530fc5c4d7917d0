"""What the task server imports, for processes that become one: all that does not ask for its settings at once."""

# ruff: noqa: F401 - it is imported for those who come after
import django.core.management
import django.core.wsgi
import django.template.loader
import django.views.csrf

import harness.cli.boundary
import harness.reports.watch.background_worker
import harness.reports.watch.episode_html
import harness.reports.watch.run_watch
import harness.sites.recording.recorder
import turkle_app.agent_urls
import turkle_app.apps
import turkle_app.early_options
import turkle_app.management.commands.serve
import turkle_app.middleware
import turkle_app.navigation
import turkle_app.origins
import turkle_app.sites.filters
import turkle_app.sites.pages
import turkle_app.sites.site_control_urls
import turkle_app.templating
import turkle_app.viewer.watched
import turkle_app.views
from turkle_app.sites.registry import HOSTS, find_site

for name in set(HOSTS.values()):
    find_site(name)
