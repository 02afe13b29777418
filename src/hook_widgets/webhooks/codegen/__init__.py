"""Generate receiver code: a function for a scheme, in one of several languages, that verifies a request."""

from hook_widgets.webhooks.codegen.api import Language as Language
from hook_widgets.webhooks.codegen.api import languages as languages
from hook_widgets.webhooks.codegen.api import receiver_snippet as receiver_snippet
