"""Puts another maker in a product's place."""

from dataclasses import replace

from reflections.products import PRODUCTS


def set_maker(monkeypatch, name, make):
    monkeypatch.setitem(PRODUCTS, name, replace(PRODUCTS[name], make=make))
