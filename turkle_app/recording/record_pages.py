"""Where recordings are begun, and the panel of each."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe

from harness.browser.launch import SCREEN
from harness.catalog.site_reading import LEVELS
from harness.kit.errors import UserError
from harness.sites.recording.order import order_of
from turkle_app.access import may_write, staff
from turkle_app.recording.recordings import MOST, RECORDINGS
from turkle_app.sites.registry import SITES, find_site

LARGEST_SEED = 2**31


@require_safe
@staff
def record_list(request: HttpRequest) -> HttpResponse:
    """Show the recordings of this server and a form that begins one, for staff."""
    return _list(request)


def _list(request: HttpRequest, trouble: str = "") -> HttpResponse:
    sites = [(f"http://{name}.test/", site) for name in SITES if (site := find_site(name))]
    variants = sorted({variant for _, site in sites for variant in site.variants})
    context = {
        "recordings": RECORDINGS.all(),
        "sites": sites,
        "variants": variants,
        "folder": settings.TURKLE_RECORD_DIR,
        "trouble": trouble,
        "said": request.POST,
        "most": MOST,
        "may_write": may_write(),
    }
    return render(request, "recording/record_list.html", context, status=409 if trouble else 200)


@require_POST
@staff
def begin(request: HttpRequest) -> HttpResponse:
    """Begin a recording and show its panel, for staff."""
    said = request.POST
    seed = said.get("seed", "") or "0"
    try:
        if not (seed.isascii() and seed.isdecimal() and int(seed[:12]) < LARGEST_SEED):
            return _list(request, f"{seed!r} is no seed: write a whole number from 0")
        order = order_of(
            said.get("url", ""),
            seed=int(seed),
            variant=said.get("variant", ""),
            live=said.get("network") == "live",
            allow=said.get("allow", "").split(),
        )
        number = RECORDINGS.begin(order)
    except UserError as error:
        return _list(request, str(error))
    return redirect("recording", number)


@require_safe
@staff
@ensure_csrf_cookie
def recording(request: HttpRequest, number: int) -> HttpResponse:
    """Show the panel of a recording, for staff."""
    recorder = RECORDINGS.find(number)
    if recorder is None:
        raise Http404
    width, height = SCREEN
    context = {
        "number": number,
        "order": recorder.order,
        "levels": LEVELS[1:],
        "width": width,
        "height": height,
        "may_write": may_write(),
    }
    return render(request, "recording/record_panel.html", context)
