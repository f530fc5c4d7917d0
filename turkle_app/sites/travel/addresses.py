"""The addresses of the travel portal."""

from __future__ import annotations

from django.urls import path

from turkle_app import agents
from turkle_app.sites import pages
from turkle_app.sites.travel import account_views, booking_views, search_views, trip_views
from turkle_app.sites.travel.moved import by_variant
from turkle_app.sites.travel.travel_pages import not_found

_PAGES = (
    ("", search_views.home),
    ("places/", search_views.places),
    ("flights/", search_views.flights),
    ("hotels/", search_views.hotels),
    ("hotels/<slug:slug>/", search_views.hotel),
    ("book/flight/", booking_views.book_flight),
    ("book/stay/", booking_views.book_stay),
    ("book/<int:number>/done/", booking_views.done),
    ("book/<int:number>/<slug:name>/", booking_views.step),
    ("trips/", trip_views.trips),
    ("trips/<slug:reference>/", trip_views.trip),
    ("trips/<slug:reference>/change/", trip_views.change),
    ("trips/<slug:reference>/cancel/", trip_views.cancel),
    ("saved/", account_views.saved),
    ("saved/add/", account_views.save),
    ("shortlist/", account_views.shortlist),
    ("account/", account_views.profile),
    ("account/preferences/", account_views.preferences),
    ("account/notifications/", account_views.letters),
    ("consent/", account_views.consent),
    ("newsletter/", account_views.newsletter),
    ("help/", account_views.help_page),
)
urlpatterns = [path("static/<str:name>", pages.static)]
urlpatterns += [path(address, view) for route, view in _PAGES for address, view in by_variant(route, view)]

handler400 = agents.bad_request
handler404 = not_found
handler500 = agents.server_error
