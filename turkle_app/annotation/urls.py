"""The addresses of browse mode with accounts."""

from __future__ import annotations

from turkle_app import urls

urlpatterns = [*urls.urlpatterns]

handler400, handler404, handler500 = urls.handler400, urls.handler404, urls.handler500
