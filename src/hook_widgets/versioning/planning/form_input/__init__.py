"""Convert the texts of a form to an API with its versions, and back."""

from hook_widgets.versioning.planning.form_input.fields import FORM_COLUMNS as FORM_COLUMNS
from hook_widgets.versioning.planning.form_input.fields import FORM_FIELDS as FORM_FIELDS
from hook_widgets.versioning.planning.form_input.fields import FormField as FormField
from hook_widgets.versioning.planning.form_input.fields import example_form as example_form
from hook_widgets.versioning.planning.form_input.form import ROW_LENGTHS as ROW_LENGTHS
from hook_widgets.versioning.planning.form_input.form import FormInput as FormInput
from hook_widgets.versioning.planning.form_input.form import form_message as form_message
from hook_widgets.versioning.planning.form_input.form import form_texts as form_texts
from hook_widgets.versioning.planning.form_input.form import read_form as read_form
from hook_widgets.versioning.planning.form_input.zones import zone_names as zone_names
