"""What joins the harness to other programs: adapters to frameworks, trackers that follow a run, exports of runs."""
