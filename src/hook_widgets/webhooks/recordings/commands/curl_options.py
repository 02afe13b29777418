"""The options of curl, by their effect on a request.

Source: ``curl --help all`` of curl 7.88, and the manual page of curl 8.17 for the options added since then.
"""

from __future__ import annotations

from typing import Final


def option_names(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


SHORT: Final = {
    "a": "append",
    "E": "cert",
    "K": "config",
    "C": "continue-at",
    "b": "cookie",
    "c": "cookie-jar",
    "d": "data",
    "q": "disable",
    "D": "dump-header",
    "f": "fail",
    "F": "form",
    "P": "ftp-port",
    "G": "get",
    "g": "globoff",
    "I": "head",
    "H": "header",
    "h": "help",
    "0": "http1.0",
    "i": "include",
    "k": "insecure",
    "4": "ipv4",
    "6": "ipv6",
    "j": "junk-session-cookies",
    "l": "list-only",
    "L": "location",
    "M": "manual",
    "m": "max-time",
    "n": "netrc",
    ":": "next",
    "N": "no-buffer",
    "o": "output",
    "Z": "parallel",
    "#": "progress-bar",
    "x": "proxy",
    "U": "proxy-user",
    "p": "proxytunnel",
    "Q": "quote",
    "r": "range",
    "e": "referer",
    "J": "remote-header-name",
    "O": "remote-name",
    "R": "remote-time",
    "X": "request",
    "S": "show-error",
    "s": "silent",
    "Y": "speed-limit",
    "y": "speed-time",
    "2": "sslv2",
    "3": "sslv3",
    "t": "telnet-option",
    "z": "time-cond",
    "1": "tlsv1",
    "B": "use-ascii",
    "T": "upload-file",
    "u": "user",
    "A": "user-agent",
    "v": "verbose",
    "V": "version",
    "w": "write-out",
}

READ: Final = option_names(
    """
    cookie data data-ascii data-binary data-raw data-urlencode header json oauth2-bearer range referer request
    upload-file url url-query user user-agent
    """
)
"""Options with a value that change the request and are read."""

REJECTED: Final = {
    "form": "the boundary of a multipart body is random",
    "form-string": "the boundary of a multipart body is random",
    "config": "its options are in a file",
    "next": "it sends several requests; paste one of them",
    "aws-sigv4": "its signature depends on the time",
    "request-target": "its URL is not the one that is sent",
    "variable": "its variables have their values only when it runs",
    "help": "it sends nothing",
    "manual": "it sends nothing",
    "version": "it sends nothing",
    "time-cond": "its header depends on a date or file",
    "etag-compare": "its header is in a file",
}
"""Options of which the request cannot be known, and the reason."""

UNKNOWN_HEADERS: Final = {
    "anyauth": "Authorization",
    "compressed": "Accept-Encoding",
    "digest": "Authorization",
    "negotiate": "Authorization",
    "netrc": "Authorization",
    "netrc-optional": "Authorization",
    "ntlm": "Authorization",
    "ntlm-wb": "Authorization",
    "tr-encoding": "TE",
}
"""Flags that add a header whose value is not in the command."""

WITH_VALUE: Final = option_names(
    """
    abstract-unix-socket alt-svc cacert capath cert cert-type ciphers connect-timeout connect-to continue-at
    cookie-jar create-file-mode crlfile curves delegation dns-interface dns-ipv4-addr dns-ipv6-addr
    dns-servers doh-url dump-header ech egd-file engine etag-save expect100-timeout ftp-account
    ftp-alternative-to-user ftp-method ftp-port ftp-ssl-ccc-mode happy-eyeballs-timeout-ms haproxy-clientip
    hostpubmd5 hostpubsha256 hsts interface ip-tos ipfs-gateway keepalive-cnt keepalive-time key key-type
    knownhosts krb libcurl limit-rate local-port login-options mail-auth mail-from mail-rcpt max-filesize
    max-redirs max-time netrc-file noproxy output output-dir parallel-max parallel-max-host pass pinnedpubkey
    preproxy proto proto-default proto-redir proxy proxy-cacert proxy-capath proxy-cert proxy-cert-type
    proxy-ciphers proxy-crlfile proxy-header proxy-key proxy-key-type proxy-pass proxy-pinnedpubkey
    proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype proxy-tlspassword proxy-tlsuser proxy-user
    proxy1.0 pubkey quote random-file rate resolve retry retry-delay retry-max-time sasl-authzid service-name
    sigalgs socks4 socks4a socks5 socks5-gssapi-service socks5-hostname speed-limit speed-time ssl-sessions
    stderr telnet-option tftp-blksize tls-max tls13-ciphers tlsauthtype tlspassword tlsuser trace trace-ascii
    trace-config unix-socket upload-flags vlan-priority write-out
    """
)
"""Options with a value that do not change the request."""

FLAGS: Final = option_names(
    """
    append basic ca-native cert-status compressed-ssh create-dirs crlf disable disable-eprt disable-epsv
    disallow-username-in-url doh-cert-status doh-insecure dump-ca-embed fail fail-early fail-with-body
    false-start follow form-escape ftp-create-dirs ftp-pasv ftp-pret ftp-skip-pasv-ip ftp-ssl-ccc
    ftp-ssl-control get globoff haproxy-protocol head http0.9 http1.0 http1.1 http2 http2-prior-knowledge
    http3 http3-only ignore-content-length include insecure ipv4 ipv6 junk-session-cookies keepalive list-only
    location location-trusted mail-rcpt-allowfails metalink mptcp alpn buffer clobber progress-meter
    sessionid npn out-null parallel parallel-immediate path-as-is post301 post302 post303
    progress-bar proxy-anyauth proxy-basic proxy-ca-native proxy-digest proxy-http2 proxy-insecure
    proxy-negotiate proxy-ntlm proxy-ssl-allow-beast proxy-ssl-auto-client-cert proxy-tlsv1 proxytunnel raw
    remote-header-name remote-name remote-name-all remote-time remove-on-error retry-all-errors
    retry-connrefused sasl-ir show-error show-headers silent skip-existing socks5-basic socks5-gssapi
    socks5-gssapi-nec ssl ssl-allow-beast ssl-auto-client-cert ssl-no-revoke ssl-reqd ssl-revoke-best-effort
    sslv2 sslv3 styled-output suppress-connect-headers tcp-fastopen tcp-nodelay tftp-no-options tls-earlydata
    tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 trace-ids trace-time use-ascii verbose xattr
    """
)
"""Flags that do not change the request, and four that are read: get, globoff, head and path-as-is."""
