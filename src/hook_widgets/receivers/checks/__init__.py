"""The functions that decide the checks, one module for each area or part of one; `table` lists them."""
