"""``python -m hook_widgets`` is the command ``hook-widgets``."""

from hook_widgets.cli.app import run

if __name__ == "__main__":
    run()
