"""The addresses of the board."""

from __future__ import annotations

from django.urls import URLPattern, include, path

from turkle_app import agents
from turkle_app.sites import pages
from turkle_app.sites.board import board_page, moderation_views, search_views, settings_views, sheaf_views, text_views
from turkle_app.sites.board import forum_views as forums
from turkle_app.sites.board import member_views as people
from turkle_app.sites.board import message_views as letters
from turkle_app.sites.board import thread_views as threads

_SHELF = [
    path("", text_views.texts),
    path("new/", text_views.new_text),
    path("<int:number>/", text_views.text),
]

urlpatterns: list[URLPattern] = [
    path("", forums.home),
    path("forum/<slug:slug>/", forums.forum),
    path("forum/<slug:slug>/new/", forums.new_thread),
    path("follow/<str:kind>/<str:what>/", forums.follow),
    path("followed/", forums.followed),
    path("thread/<int:number>/", threads.thread),
    path("thread/<int:number>/reply/", threads.reply),
    path("post/<int:number>/", threads.post),
    path("post/<int:number>/vote/", threads.vote),
    path("post/<int:number>/edit/", threads.edit),
    path("post/<int:number>/report/", threads.report),
    path("search/", search_views.search),
    path("members/", people.members),
    path("member/<str:name>/", people.profile),
    path("member/<str:name>/block/", people.block),
    path("messages/", letters.messages),
    path("messages/new/", letters.new_message),
    path("messages/<int:number>/", letters.message),
    path("moderation/", moderation_views.moderation),
    path("moderation/<int:number>/", moderation_views.decide),
    path("settings/", settings_views.settings),
    path("settings/<slug:tab>/", settings_views.save),
    path("take-part/", sheaf_views.take_part),
    path("apply/<slug:slug>/done/", sheaf_views.done),
    path("apply/<slug:slug>/<int:number>/", sheaf_views.form_page),
    path("events/", sheaf_views.events),
    path("events/<int:number>/", sheaf_views.event),
    path("texts/", include(_SHELF)),  # type: ignore[list-item]
    path("shelf/", include(_SHELF)),  # type: ignore[list-item]
    path("static/<str:name>", pages.static),
]

handler400 = agents.bad_request
handler403 = board_page.enough
handler404 = board_page.no_such_page
handler500 = agents.server_error
