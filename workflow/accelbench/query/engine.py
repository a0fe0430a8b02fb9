"""A query, answered by DuckDB in memory: it reads the views and nothing else, and writes nothing."""

import re
from typing import Any, NamedTuple

from accelbench.errors import InputError, one_line
from accelbench.query import views

INSTALL = "Install it: make install LOCK=query"
MOST_ROWS = 1_000_000
ASKS_FOR_VIEWS = re.compile(r"\s*(show|describe|summarize)\b|.*\binformation_schema\b", re.IGNORECASE | re.DOTALL)
CLOSED = ("enable_external_access", "python_enable_replacements")  # files, networks, and variables of this program


class Selection(NamedTuple):
    """What a query returns: names of columns, and rows."""

    columns: list[str]
    rows: list[tuple[Any, ...]]


def answer(sql, folders) -> Selection:
    """The Selection that a query makes over results folders. InputError where it is no one SELECT, where DuckDB refuses
    it or is not installed, and where there are no results."""
    try:
        import duckdb
    except ImportError:
        raise InputError("query", "needs DuckDB, which is not installed", INSTALL) from None
    with duckdb.connect(":memory:") as database:
        try:
            statements = [statement.type for statement in database.extract_statements(sql)]
            if statements != [duckdb.StatementType.SELECT]:
                raise InputError("query", "is not one SELECT", "Nothing else is answered: results are only read")
            if ASKS_FOR_VIEWS.match(sql):
                raise InputError("query", "asks which views there are", f"They are {', '.join(views.find())}")
            analyses = views.read(folders)
            for name, row in views.named_in(sql).items():
                database.register(name, views.make(row, analyses))
            for setting in CLOSED:
                database.execute(f"SET {setting} = false")
            database.execute("SET lock_configuration = true")
            done = database.execute(sql)
            rows = done.fetchmany(MOST_ROWS + 1)
            if len(rows) > MOST_ROWS:
                raise InputError("query", f"has more than {MOST_ROWS} rows", "Add LIMIT to it")
            return Selection([column[0] for column in done.description], rows)
        except duckdb.Error as error:
            raise InputError("query", _in_short(str(error)), _remedy(error, duckdb.CatalogException)) from None


def _in_short(message):
    """The message without the query's text, and without names that DuckDB's own catalogue would have."""
    told = re.split(r"\n*LINE \d+:|\n*Did you mean", message)[0]
    return one_line(told).rstrip(".!")


def _remedy(error, of_names):
    if isinstance(error, of_names):
        return f"The views are {', '.join(views.find())}"
    return "Columns of every view: python -m accelbench query; examples: docs/query.md"
