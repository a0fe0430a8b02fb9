"""SQL over the results of many machines, by DuckDB.

rows    what a query sees beside the tables of tables/: samples, repetitions, machines
views   the views of a database, made from results folders
engine  a query, answered
shown   an answer as a table, CSV or Markdown
"""
