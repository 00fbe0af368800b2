"""What the texts of formats that people read say of a part, in Markdown and in plain words."""

import re
from collections.abc import Mapping

from grader.results import PartResult, Result, Status, Verdict

STATUS: Mapping[Status, str] = {
    Status.GRADED: "Graded",
    Status.MISSING: "Nothing was handed in.",
    Status.UNREADABLE: "The file could not be read.",
    Status.DUPLICATE: "More than one file was handed in.",
    Status.FAILED: "Grading failed; a person must look.",
}
_VERDICTS: Mapping[Verdict | None, str] = {
    None: "Received",
    Verdict.CORRECT: "Correct",
    Verdict.PARTIAL: "Partly correct",
    Verdict.INCORRECT: "Incorrect",
    Verdict.INVALID: "Could not be read",
    Verdict.MISSING: "No answer",
    Verdict.UNDECIDED: "Not decided; a person must look",
}


def code(text: str) -> str:
    """A text as code in Markdown: shown as it is on one line, whatever it holds."""
    shown = "".join(c if c.isprintable() else " " if c in "\t\r\n" else f"\\u{ord(c):04x}" for c in text).strip()
    if not shown:
        return ""
    fence = "`" * (max(map(len, re.findall("`+", shown)), default=0) + 1)
    return f"{fence} {shown} {fence}"


def explained(part: PartResult) -> str:
    """All that is known of a part, in Markdown. What the student typed, and what quotes it, is in code."""
    lines = [f"**{_VERDICTS[part.verdict]}**"]
    typed = (("You typed", part.response), ("Read as", part.read_as or ""), (_said(part), part.message))
    lines += [f"{label}: {code(text)}" for label, text in typed if text.strip()]
    lines += [f"Follows from your answer to {code(', '.join(part.follow_through))}"] if part.follow_through else []
    lines += [" ".join(filter(None, (e.title and f"**{e.title}**", e.feedback or e.hint))) for e in part.explanations]
    if part.feedback and not part.explanations:
        lines.append(part.feedback)
    lines += [f"Off by a factor of {code(part.ratio)}"] if part.ratio else []
    lines += [code(text) for text in (part.counterexample, *part.slips, *part.remarks) if text]
    lines += [f"Solution: {code(part.solution)}"] if part.solution else []
    if part.override is not None:
        given = f"Points given by a person: {part.override.points}"
        lines.append(f"{given} {code(part.override.why)}" if part.override.why else given)
    return "\n\n".join(line for line in lines if line)


def reason(part: PartResult) -> str:
    """Why a part has not all points, in a few plain words."""
    titles = " or ".join(e.title for e in part.explanations if e.title)
    ratio = f"off by a factor of {part.ratio}" if part.ratio else ""
    return part.message or titles or ratio or next(iter((*part.slips, *part.remarks)), "")


def summary(result: Result) -> str:
    """What stands beside the points in a gradebook, in a few lines: the parts that have not all points, and why."""
    lines = [] if result.points is None else [f"{result.points} of {result.max_points} points"]
    lines += [] if result.status == Status.GRADED else [STATUS[result.status]]
    if result.late and result.late.penalty:
        days = f"{result.late.days} day{'' if result.late.days == 1 else 's'}"
        lines.append(f"{result.late.penalty} points less for being {days} late")
    for exercise in result.exercises:
        for part in exercise.parts:
            if part.points is None or part.points < part.max_points:
                lines.append(f"{exercise.title} – {part.title or part.id}: {_short(part)}")
    return "\n".join(lines)


def _short(part: PartResult) -> str:
    points = f", {part.points} of {part.max_points} points" if part.points is not None else ""
    given = f"; given by a person: {part.override.why}" if part.override is not None else ""
    why = "" if part.override is not None else reason(part)
    return f"{_VERDICTS[part.verdict]}{points}{given}" + (f": {why}" if why else "")


def _said(part: PartResult) -> str:
    return "What to mend" if part.verdict is Verdict.INVALID else "Note"
