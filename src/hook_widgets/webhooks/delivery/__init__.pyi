from hook_widgets.webhooks.delivery.http1_wire import Connection as Connection
from hook_widgets.webhooks.delivery.wire import EncodedRequest as EncodedRequest
from hook_widgets.webhooks.delivery.wire import connect as connect
from hook_widgets.webhooks.delivery.wire import encode_request as encode_request
