"""The addresses of accounts, of workers' pages, of sheets, and of staff's pages."""

from __future__ import annotations

from django.urls import path

from turkle_app.annotation import (
    account_pages,
    admin_files,
    admin_pages,
    assignment_pages,
    help_pages,
    manage_assignments,
    manage_people,
    manage_projects,
    result_pages,
    sheets,
    upload_pages,
    work_pages,
)

urlpatterns = [
    path("account/login/", account_pages.log_in, name="login"),
    path("account/logout/", account_pages.log_out, name="logout"),
    path("account/password/", account_pages.change_password, name="change-password"),
    path("account/password/<str:name>/<str:token>/", account_pages.choose_password, name="choose-password"),
    path("work/", work_pages.project_list, name="work"),
    path("work/done/", work_pages.own_assignments, name="own-assignments"),
    path("work/pace/", work_pages.set_pace, name="set-pace"),
    path("work/<int:project_id>/", work_pages.preview, name="preview"),
    path("work/<int:project_id>/accept/", work_pages.accept, name="accept"),
    path("work/<int:project_id>/skip/", work_pages.skip_unseen, name="skip-unseen"),
    path("work/assignment/<int:number>/", assignment_pages.assignment, name="assignment"),
    path("work/assignment/<int:number>/state/", assignment_pages.state, name="assignment-state"),
    path("work/assignment/<int:number>/give-back/", assignment_pages.give_back, name="give-back"),
    path("sheet/<str:token>/", sheets.sheet, name="sheet"),
    path("manage/", manage_projects.project_list, name="manage"),
    path("manage/new/", manage_projects.new_project, name="new-project"),
    path("manage/<int:project_id>/", manage_projects.project, name="project"),
    path("manage/<int:project_id>/results.csv", result_pages.results, name="results"),
    path("manage/<int:project_id>/help/", help_pages.project_help, name="project-help"),
    path("manage/<int:project_id>/change/", manage_projects.change_project, name="change-project"),
    path("manage/<int:project_id>/assignments/", manage_assignments.assignment_list, name="assignments"),
    path("manage/assignment/<int:number>/", manage_assignments.answered, name="answered"),
    path("manage/upload/", upload_pages.upload, name="upload"),
    path("manage/upload/<str:token>/", upload_pages.upload_preview, name="upload-preview"),
    path("manage/upload/<str:token>/add/", upload_pages.add_upload, name="add-upload"),
    path("page/uploaded/<str:token>/<int:index>/", upload_pages.upload_page, name="upload-page"),
    path("manage/people/", manage_people.people, name="people"),
    path("manage/people/new/", manage_people.new_account, name="new-account"),
    path("manage/people/<int:number>/", manage_people.account, name="account"),
    path("manage/people/<int:number>/link/", manage_people.new_link, name="new-link"),
    path("manage/groups/", manage_people.groups, name="groups"),
    path("admin/", admin_pages.addresses()),
    path("static/<path:name>", admin_files.admin_file, name="admin-file"),
]
