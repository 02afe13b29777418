from hook_widgets.ratelimit.limiters.buckets import WaitingBucket as WaitingBucket
from hook_widgets.ratelimit.limiters.calendar_window import CalendarUnit as CalendarUnit
from hook_widgets.ratelimit.limiters.calendar_window import CalendarWindow as CalendarWindow
