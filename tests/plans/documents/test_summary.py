"""The summary without a model: whole sentences of the document, the same each time."""

from hypothesis import given
from hypothesis import strategies as st

from plans.documents import PlacedText, Unit, summary
from tests.each import each

TEXTS = {
    "en": (
        "The price list is checked every spring. Rush orders cost a third more than others. "
        "Rush orders have to be agreed with the press. A rush order may not exceed 2,000 sheets. "
        "The coffee machine stands in the corridor. Orders above the limit of 5,000 are checked. "
        "Rush orders are agreed with the press."
    ),
    "it": (
        "Il listino viene controllato ogni primavera. Gli ordini urgenti costano un terzo in più. "
        "Ogni ordine urgente va concordato con la stampa. "
        "Un ordine urgente non supera i 2.000 fogli. La macchina del caffè è nel corridoio. "
        "Gli ordini urgenti vanno concordati con la stampa."
    ),
    "ru": (
        "Прайс проверяют каждую весну. Срочные заказы стоят на треть дороже обычных. "
        "Срочный заказ согласуют с печатным цехом. В срочном заказе не больше 2000 листов. "
        "Кофейный автомат стоит в коридоре. Срочные заказы согласуют с печатным цехом."
    ),
}


def part(text: str, **place) -> PlacedText:
    return PlacedText(unit=Unit.LINES, text=text, **place)


@each("language", TEXTS)
def test_what_the_text_comes_back_to_is_told_once_and_in_order(language):
    points = summary([part(TEXTS[language])], 3)
    told = " ".join(point.text for point in points)

    assert len(points) == 3
    assert [TEXTS[language].index(point.text) for point in points] == sorted(
        TEXTS[language].index(point.text) for point in points
    )
    assert "000" in told
    assert not any(word in told for word in ("coffee", "caffè", "Кофейный"))


def test_points_say_where_they_stand():
    parts = [part("Discounts above 12 percent need a second signature.", first=3, last=3)]

    assert summary(parts)[0].place == "line 3"


def test_abbreviations_and_numbers_do_not_end_a_sentence():
    text = "The factor of 1.35 covers e.g. night shifts and the cleaning of the press."

    assert [point.text for point in summary([part(text)])] == [text]


def test_nothing_comes_of_nothing():
    assert summary([]) == ()
    assert summary([part("Too short.")]) == ()


@given(st.lists(st.text(min_size=1, max_size=300), max_size=10), st.integers(0, 6))
def test_any_text_gives_at_most_so_many_points_and_always_the_same(texts, most):
    parts = [part(text) for text in texts]
    points = summary(parts, most)

    assert len(points) <= most
    assert points == summary(parts, most)
