"""Parse a received request by its provider's scheme."""

from hook_widgets.webhooks.verification.parsing.parser import Reading as Reading
from hook_widgets.webhooks.verification.parsing.parser import read as read
from hook_widgets.webhooks.verification.parsing.parser import request_fields as request_fields
