"""The addresses of recording, below ``/record/``."""

from __future__ import annotations

from django.urls import path

from turkle_app.recording import record_answers, record_pages

urlpatterns = [
    path("", record_pages.record_list, name="recordings"),
    path("begin/", record_pages.begin, name="begin-recording"),
    path("<int:number>/", record_pages.recording, name="recording"),
    path("<int:number>/state.json", record_answers.state, name="recording-state"),
    path("<int:number>/view.jpg", record_answers.view, name="recording-view"),
    path("<int:number>/picture/<str:name>", record_answers.picture, name="recording-picture"),
    path("<int:number>/proposals/<int:step>/", record_answers.proposals, name="recording-proposals"),
    path("<int:number>/act/", record_answers.act, name="recording-act"),
]
