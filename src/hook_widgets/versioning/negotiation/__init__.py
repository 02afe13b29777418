"""Which version a request gets: where it names one, what it accepts, and what it gets in place of one."""
