"""The end of an interview that asks for an address and gives a code."""

from playwright.sync_api import expect

from tests.browser.participant import Participant

TOLD = "it's ann.canary@example.org"


def test_an_address_is_masked_and_a_code_is_given(anna: Participant) -> None:
    anna.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    anna.begin("thankful")
    anna.page.get_by_text("Menu", exact=True).click()
    anna.page.get_by_role("link", name="Finish").click()
    anna.page.get_by_role("dialog").get_by_role("button", name="Finish").click()
    expect(anna.said.last).to_contain_text("e-mail address")
    anna.yours()
    anna.answer("Yes, that's fine")
    anna.answer(TOLD)
    anna.phase("over")
    assert anna.mine() == ["Yes, that's fine", "it's [e-mail]"]
    code = anna.page.get_by_label("Your reward code")
    expect(code).to_have_value("THANKS-7")
    anna.button("Copy").click()
    expect(anna.button("Copied")).to_be_visible()
    assert anna.page.evaluate("navigator.clipboard.readText()") == "THANKS-7"
    anna.page.reload()
    expect(code).to_have_value("THANKS-7")
    assert "canary" not in anna.page.content()
    assert "canary" not in str(anna.page.evaluate("JSON.stringify(localStorage)"))


def test_on_a_phone(anna: Participant) -> None:
    anna.page.set_viewport_size({"width": 360, "height": 740})
    anna.begin("thankful")
    anna.page.goto(f"{anna.address}end/")
    anna.page.get_by_role("button", name="Finish").click()
    anna.yours()
    anna.answer("no")
    anna.phase("over")
    expect(anna.page.get_by_label("Your reward code")).to_be_visible()
    wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    assert not anna.page.evaluate(wide)
