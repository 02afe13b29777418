from hook_widgets.ratelimit.configs.api import ExportTarget as ExportTarget
from hook_widgets.ratelimit.configs.api import export_config as export_config
from hook_widgets.ratelimit.configs.api import import_config as import_config
from hook_widgets.ratelimit.configs.model import Deviation as Deviation
from hook_widgets.ratelimit.configs.model import ExportedConfig as ExportedConfig
