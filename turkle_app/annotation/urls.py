"""The addresses of accounts, of workers' pages, of sheets, and of staff's pages."""

from __future__ import annotations

from django.urls import path

from turkle_app.annotation import (
    account_pages,
    admin_files,
    admin_pages,
    assignment_pages,
    batch_files,
    help_pages,
    manage_assignments,
    manage_batches,
    manage_people,
    manage_projects,
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
    path("manage/<int:project_id>/results.csv", manage_batches.project_results, name="project-results"),
    path("manage/<int:project_id>/change/", manage_projects.change_project, name="change-project"),
    path("manage/<int:project_id>/new/", batch_files.new_batch, name="new-batch"),
    path("manage/<int:project_id>/new/<str:token>/", batch_files.new_batch_preview, name="new-batch-preview"),
    path("manage/batch/<int:batch_id>/files/", batch_files.change_files, name="change-files"),
    path(
        "manage/batch/<int:batch_id>/files/<str:token>/", batch_files.change_files_preview, name="change-files-preview"
    ),
    path("manage/batch/<int:batch_id>/", manage_batches.batch, name="batch"),
    path("manage/batch/<int:batch_id>/change/", manage_batches.change_batch, name="change-batch"),
    path("manage/batch/<int:batch_id>/state/", manage_batches.batch_state, name="batch-state"),
    path("manage/batch/<int:batch_id>/results.csv", manage_batches.results, name="results"),
    path("manage/batch/<int:batch_id>/help/", help_pages.batch_help, name="batch-help"),
    path("manage/batch/<int:batch_id>/assignments/", manage_assignments.assignment_list, name="assignments"),
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
