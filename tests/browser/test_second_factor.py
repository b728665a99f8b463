"""A passkey is set up and used, on a site that asks for a second factor."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.browser.seed import ACCOUNT
from tests.browser.site import Site
from tests.services.processes import python, run


@pytest.fixture(scope="module")
def guarded(new_site: Callable[..., Site]) -> Site:
    site = new_site(MFA="required", ALLOWED_HOSTS="localhost,127.0.0.1")
    made = run(python("manage.py", "migrate"), site.env)  # has tables that other sites lack
    assert made.returncode == 0, made.stderr
    return site


@pytest.fixture
def with_passkeys(page: Page) -> Iterator[CDPSession]:
    """The browser has a fingerprint reader, whose finger is always there."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "hasUserVerification": True}
    options |= {"isUserVerified": True, "automaticPresenceSimulation": True}
    session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    yield session
    session.detach()


def sign_in(page: Page, url: str) -> None:
    page.goto(f"{url}/admin/")
    page.fill("[name=login]", ACCOUNT["name"])
    page.fill("[name=password]", ACCOUNT["password"])
    page.get_by_role("button", name="Sign in", exact=True).click()


def test_a_passkey_is_set_up_and_used(page: Page, guarded: Site, with_passkeys: CDPSession) -> None:
    url = guarded.url.replace("127.0.0.1", "localhost")  # an address has no passkeys
    sign_in(page, url)
    expect(page.get_by_text("Set up a second factor")).to_be_visible()
    page.get_by_role("link", name="Use a passkey instead").click()
    page.get_by_role("button", name="Add passkey").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download codes").click()
    assert len(download.value.path().read_text().split()) == 10
    page.get_by_role("link", name="Continue to the admin").click()
    page.wait_for_url("**/admin/")
    page.context.clear_cookies()
    sign_in(page, url)
    page.get_by_role("button", name="Use a passkey").click()
    page.wait_for_url("**/admin/")
    expect(page.get_by_role("link", name="Bots", exact=True).first).to_be_visible()
