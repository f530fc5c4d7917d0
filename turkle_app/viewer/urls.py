"""The addresses of the pages about runs, below ``/runs/``; ``turkle_app.viewer.slugs`` says what stands for a run."""

from __future__ import annotations

from django.urls import path

from turkle_app.viewer import (
    ask_page,
    comparison_page,
    episode_page,
    open_verdict_page,
    pair_page,
    review_answers,
    review_draw,
    review_pages,
    review_report,
    run_list,
    run_notes,
    run_page,
)

urlpatterns = [
    path("", run_list.run_list, name="runs"),
    path("runs.<str:form>", run_list.run_list_file, name="runs-file"),
    path("notes/forgotten/", run_notes.forget_note, name="forget-note"),
    path("compare/", comparison_page.comparison_page, name="compare-runs"),
    path("compare/<str:run>/<str:other>/<slug:which>/", comparison_page.shared_instances, name="shared-instances"),
    path(
        "compare/<str:run>/<str:other>/episode/<str:task>/<int:index>/<int:other_index>/",
        pair_page.pair_page,
        name="pair",
    ),
    path("<str:run>/", run_page.run_page, name="run"),
    path("<str:run>/notes/", run_notes.run_notes, name="run-notes"),
    path("<str:run>/episodes.<str:form>", run_page.episodes_file, name="episodes-file"),
    path("<str:run>/<str:name>", run_page.run_file, name="run-file"),
    path("<str:run>/episodes/<str:task>/<int:index>.json", run_page.reported_episode, name="reported-episode"),
    path("<str:run>/episode/<str:task>/<int:index>/", episode_page.episode, name="episode"),
    path("<str:run>/episode/<str:task>/<int:index>/episode.json", episode_page.episode_source, name="episode-source"),
    path("<str:run>/episode/<str:task>/<int:index>/ask/<int:turn>/", ask_page.ask_again, name="ask-again"),
    path("<str:run>/picture/<str:name>", episode_page.step_picture, name="step-picture"),
    path("<str:run>/film-picture/<str:name>", episode_page.film_picture, name="film-picture"),
    path("<str:run>/under-way/<int:process>", run_page.under_way_picture, name="under-way-picture"),
    path("<str:run>/film-page/<str:name>", episode_page.film_page, name="film-page"),
    path("<str:run>/text/<str:name>", episode_page.text, name="episode-text"),
    path("<str:run>/review/", review_pages.review_list, name="reviews"),
    path("<str:run>/review/report/", review_report.report, name="review-report"),
    path("<str:run>/review/draw/<int:draw>/", review_draw.review_draw, name="review-draw"),
    path("<str:run>/review/open/<str:task>/<int:index>/", open_verdict_page.open_verdicts, name="open-verdicts"),
    path("<str:run>/review/<int:number>/", review_pages.review, name="review"),
    path("<str:run>/review/<int:number>/verdicts.<str:form>", review_report.verdicts, name="review-verdicts"),
    path("<str:run>/review/<int:number>/<int:place>/", review_answers.review_field, name="review-field"),
    path("<str:run>/review/<int:number>/<int:place>/answer/", review_answers.review_answer, name="review-answer"),
    path("<str:run>/review/<int:number>/<int:place>/labels/", review_answers.review_labels, name="review-labels"),
]
