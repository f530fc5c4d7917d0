"""Pages as tasks of BrowserGym (https://github.com/ServiceNow/BrowserGym); the bundled ones once this is imported."""

from __future__ import annotations

from harness.integrations.adapters.browsergym.registration import register

register("form")
register("site")
