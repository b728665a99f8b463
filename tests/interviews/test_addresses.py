"""Whose address counts, whatever a client writes into a header."""

from ipaddress import ip_network

import pytest
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from interviews.security import client_ip
from interviews.security.client_ip import UNKNOWN, bucket
from tests.each import each

CLIENT = "203.0.113.7"
SPOOFED = ("", "9.9.9.9", "9.9.9.9, 8.8.8.8", ",,,", "x" * 100_000, "127.0.0.1", "\x00", "[::1")


@pytest.mark.parametrize("spoofed", SPOOFED)
def test_without_proxies_the_header_says_nothing(settings, spoofed):
    settings.TRUSTED_PROXIES = 0
    assert bucket(CLIENT, spoofed) == CLIENT


@pytest.mark.parametrize("proxies", [1, 2, 3])
@pytest.mark.parametrize("spoofed", SPOOFED)
def test_what_a_client_writes_before_the_proxies_changes_nothing(settings, proxies, spoofed):
    settings.TRUSTED_PROXIES = proxies
    between = [f"10.0.0.{n}" for n in range(1, proxies)]
    assert bucket("10.0.0.9", ", ".join([spoofed, CLIENT, *between])) == CLIENT


def test_who_comes_past_the_proxies_counts_as_who_asked(settings):
    settings.TRUSTED_PROXIES = 2
    assert bucket(CLIENT, "") == CLIENT
    assert bucket(CLIENT, "9.9.9.9") == CLIENT


@each(
    ("written", "found"),
    [
        ("203.0.113.7:51234", CLIENT),
        ("::ffff:203.0.113.7", CLIENT),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::9]:443", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("unknown", UNKNOWN),
        ("", UNKNOWN),
    ],
)
def test_addresses_as_proxies_write_them(written, found):
    assert bucket(written, "") == found


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_a_whole_network_of_ipv6_is_one(one, other):
    network = ip_network("2001:db8:5:6::/64")
    assert bucket(str(network[one]), "") == bucket(str(network[other]), "")


@given(st.text(max_size=200), st.text(max_size=200))
def test_nothing_that_is_sent_is_an_error(peer, forwarded):
    assert bucket(peer, forwarded)


def test_request_and_socket_are_told_the_same(settings):
    settings.TRUSTED_PROXIES = 1
    header = f"9.9.9.9, {CLIENT}"
    request = RequestFactory().get("/", REMOTE_ADDR="10.0.0.1", HTTP_X_FORWARDED_FOR=header)
    scope = {"client": ["10.0.0.1", 5], "headers": [(b"x-forwarded-for", header.encode())]}
    assert client_ip.of_request(request) == client_ip.of_scope(scope) == CLIENT
    assert client_ip.of_scope({"client": None, "headers": []}) == UNKNOWN
