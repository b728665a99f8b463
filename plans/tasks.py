"""Celery tasks, one for each type of background job."""

from celery import shared_task

from plans.protocols import job_types

SWEEPS = [job_type.sweep for job_type in job_types().values()]

for name, job_type in job_types().items():
    shared_task(job_type.run, name=name)
