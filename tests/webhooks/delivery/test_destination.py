"""Addresses that may be sent to, under every spelling."""

from __future__ import annotations

import contextlib
import socket
from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import DestinationBlocked, InvalidArgument
from hook_widgets.webhooks.delivery import addresses
from hook_widgets.webhooks.delivery.destination import (
    check,
    is_loopback,
    resolve_addresses,
    warnings,
)


def resolver(*hosts: str):
    """A name server that has these addresses for every name."""

    def resolve(host, port, **_):
        families = {4: socket.AF_INET, 6: socket.AF_INET6}
        return [
            (families[ip_address(a.partition("%")[0]).version], socket.SOCK_STREAM, 6, "", (a, port))
            for a in hosts
        ]

    return resolve


def refusal(url: str, **options) -> DestinationBlocked:
    with pytest.raises(DestinationBlocked) as caught:
        check(url, **options)
    return caught.value


METADATA = {
    "169.254.169.254": "metadata",
    "169.254.170.2": "metadata",
    "169.254.170.23": "metadata",
    "100.100.100.200": "metadata",
    "168.63.129.16": "metadata",
    "192.0.0.192": "metadata",
    "[fd00:ec2::254]": "metadata",
    "[FD00:EC2:0:0::0254]": "metadata",
    "[fd20:ce::254]": "metadata",
    "[fd00:42::42]": "metadata",
    "metadata.google.internal": "metadata",
    "METADATA.GOOGLE.INTERNAL.": "metadata",
    "metadata.goog": "metadata",
    "instance-data.ec2.internal": "metadata",
}
SPELLINGS = {
    "2852039166": "metadata",  # decimal
    "0xA9FEA9FE": "metadata",
    "0xa9.0xfe.0xa9.0xfe": "metadata",
    "0251.0376.0251.0376": "metadata",  # octal
    "025177524776": "metadata",
    "169.254.43518": "metadata",
    "169.16689662": "metadata",
    "[::ffff:169.254.169.254]": "metadata",  # mapped
    "[::ffff:a9fe:a9fe]": "metadata",
    "[::169.254.169.254]": "metadata",  # compatible
    "[::ffff:0:169.254.169.254]": "metadata",  # translated
    "[64:ff9b::169.254.169.254]": "metadata",  # NAT64
    "[64:ff9b::a9fe:a9fe]": "metadata",
    "[64:ff9b:1::a9fe:a9fe]": "metadata",
    "[2002:a9fe:a9fe::1]": "metadata",  # 6to4
    "[2001:0:a9fe:a9fe::]": "metadata",  # the server of a Teredo address
    "[2001:0:102:304::5601:5601]": "metadata",  # its client
    "[fd12::5efe:a9fe:a9fe]": "metadata",  # ISATAP
    "[fd12::200:5efe:a9fe:a9fe]": "metadata",
    "[64:ff9b::6464:64c8]": "metadata",
}
OTHERS = {
    "169.254.0.1": "link_local",
    "169.254.255.255": "link_local",
    "[fe80::1]": "link_local",
    "[fe80::1%25eth0]": "link_local",
    "[febf::1]": "link_local",
    "[::ffff:169.254.10.10]": "link_local",
    "224.0.0.1": "multicast",
    "239.255.255.250": "multicast",
    "[ff02::1]": "multicast",
    "0.0.0.0": "unspecified",
    "0": "unspecified",
    "0x0": "unspecified",
    "0.1.2.3": "unspecified",
    "[::]": "unspecified",
    "[::ffff:0.0.0.0]": "unspecified",
    "255.255.255.255": "broadcast",
}


@pytest.mark.parametrize(("host", "code"), [*METADATA.items(), *SPELLINGS.items(), *OTHERS.items()])
def test_an_address_that_no_receiver_has_is_rejected_before_anything_is_looked_up(host, code):
    assert refusal(f"http://{host}/hooks").code == code


@pytest.mark.parametrize("host", METADATA)
@pytest.mark.parametrize(
    "form", ["http://{}", "https://{}:443/", "HTTP://{}:8080/a?b=c", "http://{}/?x=@example.com"]
)
def test_metadata_is_rejected_in_every_kind_of_url(host, form):
    assert refusal(form.format(host)).code == "metadata"


@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("169.254.169.254", "metadata"),
        ("fd00:ec2::254", "metadata"),
        ("::ffff:169.254.169.254", "metadata"),
        ("64:ff9b::a9fe:a9fe", "metadata"),
        ("169.254.7.7", "link_local"),
        ("fe80::1%eth0", "link_local"),
        ("0.0.0.0", "unspecified"),
        ("ff02::1", "multicast"),
    ],
)
def test_a_name_is_judged_by_every_address_it_has(address, code):
    destination = check("https://hooks.example.com/")
    with pytest.raises(DestinationBlocked) as caught:
        resolve_addresses(destination, resolver("203.0.113.7", address))
    assert (caught.value.code, caught.value.host) == (code, "hooks.example.com")
    assert "hooks.example.com stands for" in str(caught.value)


def test_a_name_is_looked_up_once_and_its_addresses_come_back_to_connect_to():
    asked = []

    def resolve(host, port, **options):
        asked.append(host)
        return resolver("203.0.113.7", "2001:db8::7", "203.0.113.7")(host, port, **options)

    results = resolve_addresses(check("http://hooks.example.com:8080/"), resolve)
    assert results == [(socket.AF_INET, ("203.0.113.7", 8080)), (socket.AF_INET6, ("2001:db8::7", 8080))]
    assert asked == ["hooks.example.com"]


def test_localhost_that_leads_to_another_machine_is_rejected():
    with pytest.raises(DestinationBlocked) as caught:
        resolve_addresses(check("http://localhost:8000/"), resolver("127.0.0.1", "10.1.2.3"))
    assert caught.value.code == "localhost"


@pytest.mark.parametrize(
    "host", ["a" * 63 + ".example", "xn--a.example", "under_score.example", "1.2.3.4.example"]
)
def test_unusual_but_proper_names_are_left_to_the_resolver(host):
    assert check(f"http://{host}/").host == host


def test_a_name_that_the_resolver_cannot_even_write_is_a_name_that_does_not_resolve():
    def resolve(host, port, **_):
        raise UnicodeError("label empty or too long")

    with pytest.raises(socket.gaierror):
        resolve_addresses(check("http://hooks.example.com/"), resolve)


@pytest.mark.parametrize(
    "host", ["10.0.0.5", "192.168.1.20", "172.17.0.1", "100.64.0.1", "[fd12::1]", "203.0.113.7"]
)
def test_private_networks_are_allowed(host):
    assert check(f"http://{host}:8000/hooks").port == 8000


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("ftp://hooks.example.com/", "scheme"),
        ("file:///etc/hosts", "scheme"),
        ("hooks.example.com/orders", "scheme"),
        ("localhost:8000", "scheme"),
        ("", "url"),
        ("http://hooks.example.com/a b", "url"),
        ("http://hooks.example.com/\r\nX-A: b", "url"),
        ("http://bücher.example/", "url"),
        ("http://hooks.example.com:99999/", "url"),
        ("http://hooks.example.com:port/", "url"),
        ("http://[::1/", "url"),
        ("http://[::g]/", "url"),
        ("http:///orders", "host"),
        ("http://:8000/", "host"),
        ("http://hooks..example.com/", "host"),
        ("http://.example.com/", "host"),
        ("http://" + "a" * 64 + ".example/", "host"),
        ("http://" + "a.a." * 64 + "example/", "host"),
        ("http://hooks.example.com\\.example.test/", "host"),
        ("http://hooks.example.com%2f.example.test/", "host"),
        ("http://127.0.0.1:0/", "port"),
        ("http://user@hooks.example.com/", "credentials"),
        ("http://user:word@hooks.example.com/", "credentials"),
        ("http://hooks.example.com@169.254.169.254/", "credentials"),
        ("http://hooks.example.com\\@169.254.169.254/", "credentials"),
        ("http://@hooks.example.com/", "credentials"),
    ],
)
def test_a_url_that_is_not_plainly_a_receiver_is_rejected_with_its_reason(url, code):
    error = refusal(url)
    assert error.code == code
    assert "; " in str(error), "cause and remedy"


def test_a_password_in_a_rejected_url_is_not_repeated():
    assert "hunter2-canary" not in str(refusal("http://user:hunter2-canary@hooks.example.com/"))


@pytest.mark.parametrize(
    ("url", "scheme", "host", "port", "target", "authority"),
    [
        ("http://127.0.0.1:8000/webhooks", "http", "127.0.0.1", 8000, "/webhooks", "127.0.0.1:8000"),
        ("https://Hooks.Example.com", "https", "Hooks.Example.com", 443, "/", "Hooks.Example.com"),
        ("https://hooks.example.com:443/a", "https", "hooks.example.com", 443, "/a", "hooks.example.com"),
        (
            "http://hooks.example.com:443?x=1&x=2",
            "http",
            "hooks.example.com",
            443,
            "/?x=1&x=2",
            "hooks.example.com:443",
        ),
        ("http://[2001:db8::7]:81/%7Ea/../b?", "http", "2001:db8::7", 81, "/%7Ea/../b?", "[2001:db8::7]:81"),
        (
            "http://hooks.example.com./a;b=c#frag?x",
            "http",
            "hooks.example.com.",
            80,
            "/a;b=c",
            "hooks.example.com.",
        ),
    ],
)
def test_a_url_is_taken_apart_without_changing_it(url, scheme, host, port, target, authority):
    destination = check(url)
    assert (destination.scheme, destination.host, destination.port, destination.target) == (
        scheme,
        host,
        port,
        target,
    )
    assert destination.authority == authority


@pytest.mark.parametrize(
    ("allowed", "url"),
    [
        ("hooks.example.com", "https://hooks.example.com/"),
        ("hooks.example.com", "https://HOOKS.example.com.:8443/"),
        ("Hooks.Example.com:8443", "https://hooks.example.com:8443/"),
        ("hooks.example.com:443", "https://hooks.example.com/"),
        ("*.example.com", "https://hooks.example.com/"),
        ("*.example.com", "https://a.b.example.com/"),
        ("*.example.com:444", "https://hooks.example.com:444/"),
        ("127.0.0.1", "http://127.0.0.1:8000/"),
        ("127.0.0.1:8000", "http://0x7f.1:8000/"),
        ("[::1]:8000", "http://[::1]:8000/"),
        ("[::1]", "http://[0:0::1]:8000/"),
    ],
)
def test_a_host_on_the_allow_list_may_be_sent_to(allowed, url):
    assert check(url, allow_hosts=["other.test", allowed]).name == check(url).name


@pytest.mark.parametrize(
    ("allowed", "url"),
    [
        (["hooks.example.com"], "https://hooks.example.com.example.test/"),
        (["hooks.example.com"], "https://ahooks.example.com/"),
        (["hooks.example.com:8443"], "https://hooks.example.com/"),
        (["*.example.com"], "https://example.com/"),
        (["*.example.com"], "https://badexample.com/"),
        (["*.example.com:444"], "https://hooks.example.com/"),
        (["127.0.0.1"], "http://localhost:8000/"),
        ([], "http://127.0.0.1:8000/"),
    ],
)
def test_a_host_that_is_not_on_the_allow_list_is_rejected(allowed, url):
    error = refusal(url, allow_hosts=allowed)
    assert error.code == "not_allowed"
    assert "allow_hosts" in str(error)


def test_the_allow_list_does_not_open_the_way_to_metadata():
    assert refusal("http://169.254.169.254/", allow_hosts=["169.254.169.254"]).code == "metadata"


@pytest.mark.parametrize(
    "entry", ["https://hooks.example.com", "hooks.example.com/path", "", "*", "a b", "*.*.com"]
)
def test_an_allow_list_entry_that_is_no_host_is_an_error(entry):
    with pytest.raises(InvalidArgument, match="allow_hosts"):
        check("http://127.0.0.1/", allow_hosts=[entry])


def test_one_host_may_be_given_as_plain_text():
    assert check("http://127.0.0.1/", allow_hosts="127.0.0.1").port == 80


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://127.255.0.9:8000/a",
        "http://localhost",
        "http://LOCALHOST.:8888/",
        "http://api.localhost/",
        "https://[::1]:8000/",
        "http://[::ffff:127.0.0.1]/",
        "http://127.1/",
        "http://0x7f000001/",
        "http://2130706433/",
        "http://017700000001/",
    ],
)
def test_this_machine_is_recognised_and_gets_no_warning(url):
    assert (is_loopback(url), warnings(url)) == (True, ())


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1.example.com/",
        "http://localhost.example.com/",
        "http://notlocalhost/",
        "http://10.0.0.5/",
        "http://host.docker.internal:8000/",
        "http://128.0.0.1/",
        "http://[::2]/",
    ],
)
def test_another_machine_is_no_loopback_and_plain_http_is_warned_about(url):
    assert not is_loopback(url)
    assert ["not encrypted" in text for text in warnings(url)] == [True]


def test_https_to_another_machine_is_not_warned_about():
    assert warnings("https://hooks.example.com/") == ()


def test_a_url_that_cannot_be_read_is_never_taken_for_this_machine():
    assert (is_loopback("http://127.0.0.1@example.com/"), is_loopback("nonsense")) == (False, False)


@given(st.integers(0, 2**32 - 1))
def test_every_spelling_of_an_ipv4_address_gets_the_same_verdict(number):
    plain = ip_address(number)
    expected = addresses.blocked(plain)
    spellings = [str(number), hex(number), f"0{number:o}", ".".join(f"0{b:o}" for b in plain.packed)]
    assert [addresses.literal(text) for text in spellings] == [plain] * 4
    for carrier in (f"::ffff:{plain}", f"64:ff9b::{plain}", f"2002:{number >> 16:x}:{number & 0xFFFF:x}::"):
        result = addresses.blocked(ip_address(carrier))
        assert (result and result[0]) == (expected and expected[0])


@given(st.text(max_size=60) | st.text("htps:/@[]#?%.0123456789abcx\\", max_size=40).map("http://".__add__))
def test_any_text_as_url_is_either_taken_apart_or_rejected(text):
    with contextlib.suppress(DestinationBlocked):
        destination = check(text)
        assert destination.host.isascii()
        assert destination.target.startswith("/")
