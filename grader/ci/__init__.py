"""A student's answers graded in a CI job: what each platform is told, and in which form.

What students write reaches a job's log, summary, annotations and outputs only through the escapes of
`grader.reports.markup` and `grader.ci.commands`.
"""
