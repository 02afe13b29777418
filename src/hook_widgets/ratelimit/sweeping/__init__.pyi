from hook_widgets.ratelimit.plotting.mpl.scale import plot_sweep as plot_sweep
from hook_widgets.ratelimit.sweeping.api import sweep as sweep
from hook_widgets.ratelimit.sweeping.result import Sweep as Sweep
from hook_widgets.ratelimit.sweeping.result import SweepPoint as SweepPoint
