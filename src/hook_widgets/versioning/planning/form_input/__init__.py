"""Convert the texts of a form to an API with its versions, and back."""

from hook_widgets.versioning.planning.form_input.fields import (
    FORM_COLUMNS,
    FORM_FIELDS,
    FormField,
    example_form,
)
from hook_widgets.versioning.planning.form_input.form import (
    ROW_LENGTHS,
    FormInput,
    form_message,
    form_texts,
    read_form,
)
from hook_widgets.versioning.planning.form_input.zones import zone_names

__all__ = [
    "FORM_COLUMNS",
    "FORM_FIELDS",
    "ROW_LENGTHS",
    "FormField",
    "FormInput",
    "example_form",
    "form_message",
    "form_texts",
    "read_form",
    "zone_names",
]
