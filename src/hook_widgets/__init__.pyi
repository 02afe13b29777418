from hook_widgets._doctor.output import doctor as doctor
from hook_widgets._version import __version__ as __version__
from hook_widgets.webhooks.keys.secret import Secret as Secret
from hook_widgets.widgets.calculator.widget import RateLimitCalculator as RateLimitCalculator
from hook_widgets.widgets.generator.widget import WebhookGenerator as WebhookGenerator
from hook_widgets.widgets.planner.widget import VersionPlanner as VersionPlanner
