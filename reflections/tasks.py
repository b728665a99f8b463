"""Celery tasks, one for each type of background job."""

from celery import shared_task

from reflections import jobs
from reflections.calibration import calibrations
from reflections.coding import suggestions
from reflections.evaluation import runs
from reflections.themes import theme_suggestions, written

JOBS = (jobs, calibrations, runs, suggestions, theme_suggestions, written)
SWEEPS = [job.sweep for job in JOBS]

for job in JOBS:
    shared_task(job.make, name=job.TASK)
