"""The tables of a store. Whoever has sqlite3 or Datasette can read them; the views at the end are made for that."""

from typing import Final

FILE: Final = "grades.sqlite"
APPLICATION: Final = 0x67726472  # "grdr", in the file's header
VERSION: Final = 1

TABLES: Final = """
-- each time that something was graded, or graded again
create table run (
  id integer primary key,
  kind text not null,                -- grade, regrade, or dry run while one goes on
  started_at text not null,          -- ISO 8601, UTC
  finished_at text,                  -- null while it runs; "cut short" if another followed before its end
  pid integer not null,
  grader text not null,              -- version
  course text not null,
  title text not null,
  spec text not null,                -- digest of the exercises and mistakes
  key text not null,                 -- digest of the solutions
  judged text not null,              -- digest of all that a result depends on beside the answers
  reveal text not null,
  folder text not null,              -- of the course, where it was graded
  explained integer not null,        -- 0 where verdicts were all that was asked for
  outline text not null,             -- exercises and parts with their points, as JSON
  policy text not null               -- due date, late penalty, attempts, extensions, as JSON
);
-- the roster as it was last given
create table student (
  id text primary key,
  name text not null,
  email text not null,
  section text not null,
  aliases text not null              -- all texts by which files and gradebooks name them, as a JSON list
);
-- what was handed in, as it was read
create table submission (
  id integer primary key,
  source text not null,              -- the path as given
  student text not null,
  name text not null,
  platform text not null,
  key text not null,                 -- how the source names the student
  attempt integer,
  times text not null,               -- moments by clock (release, lms, commit), as JSON
  late integer not null,             -- the platform's own flag
  digest text not null,              -- SHA-256 of the files
  stamp text not null,               -- of all that the source says, to tell whether anything changed
  status text not null,
  message text not null,
  remarks text not null,             -- as a JSON list
  responses text not null,           -- [exercise, part, text, line, fault] as JSON
  attachments text not null,         -- texts by file name, as JSON
  judged text not null,              -- run.judged when it was last considered
  result integer,                    -- the result that holds
  current integer not null default 1,  -- 0 where the same source was found to be another student's since
  unique (source, student)
);
create index submission_of_student on submission (student);
-- every result that a submission ever had
create table result (
  id integer primary key,
  submission integer not null references submission,
  run integer not null references run,
  status text not null,
  message text not null,
  remarks text not null,
  points integer not null,           -- as graded, before overrides and penalties
  invalid integer not null,          -- parts that could not be read
  undecided integer not null         -- parts at which a person must look
);
create index result_of_submission on result (submission);
-- the result of a part for all who gave this answer after the same earlier ones; everything is in `data`
create table record (
  id integer primary key,
  digest text not null unique,
  exercise text not null,
  part text not null,
  verdict text not null,
  points integer not null,
  max_points integer not null,
  response text not null,
  read_as text,
  ratio text,
  cluster text,
  mistakes text not null,            -- as a JSON list
  data text not null
);
create table part (
  result integer not null,
  place integer not null,            -- in the course's order
  record integer not null references record,
  line integer,
  primary key (result, place)
) without rowid;
-- points that a person gave; they stay when something is graded again
create table override (
  student text not null,
  exercise text not null,
  part text not null,
  points integer not null,
  why text not null,
  by text not null,
  at text not null,
  primary key (student, exercise, part)
);
-- every change of something that was there already
create table audit (
  id integer primary key,
  at text not null,
  run integer not null references run,
  what text not null,                -- answers, student, part, kept, override
  student text not null,
  source text not null default '',
  exercise text not null default '',
  part text not null default '',
  old text,
  new text,
  why text not null default ''
);
-- one row a student, after attempts, overrides and lateness: what leaves in a gradebook
create table grade (
  student text primary key,
  name text not null,
  submission integer not null references submission,
  status text not null,
  points integer not null,
  max_points integer not null,
  earned integer not null,           -- before the penalty
  penalty integer not null,
  days_late integer not null,
  submitted_at text not null,
  attempts integer not null,
  overridden integer not null        -- parts
) without rowid;
create table page (
  file text primary key,
  stamp text not null                -- of all that the page shows
) without rowid;

create view answers as
  select s.student, s.name, r.exercise, r.part, r.verdict, r.points, r.max_points, r.response, r.read_as,
         r.mistakes, r.ratio, r.cluster, p.line, s.source
  from grade g join submission s on s.id = g.submission join part p on p.result = s.result
       join record r on r.id = p.record
  order by s.student, p.place;
create view mistakes as
  select r.exercise, r.part, m.value as mistake, count(*) as students
  from grade g join submission s on s.id = g.submission join part p on p.result = s.result
       join record r on r.id = p.record, json_each(r.mistakes) m
  group by r.exercise, r.part, m.value order by students desc;
"""
