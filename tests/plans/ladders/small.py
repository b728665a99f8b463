"""A small methodology and a small concept, as files, and the signals that they may name."""

from plans.protocols.laddering.schema.vocabulary import Term

TERMS = {
    term.name: term
    for term in (
        Term("graph.node_count"),
        Term("graph.node.exhausted", ("true", "false")),
        Term("llm.response_depth", ("shallow", "moderate", "deep")),
    )
}

METHODOLOGY = """\
format: interviewsite/methodology
version: 1
id: small
name: Small
goal: To see what follows from what.
ladder:
  - id: thing
    name: Thing
    meaning: Something that is there.
  - id: effect
    name: Effect
    meaning: What it does.
    cues: {en: [helps, saves]}
relations:
  - id: leads_to
    meaning: The first brings about the second.
    between:
      - {source: thing, targets: [effect]}
signals: [graph.node_count, graph.node.exhausted, llm.response_depth]
strategies:
  - id: up
    name: Up
    description: Ask what follows.
    technique: ladder_up
    focus_preference: newest
    signal_weights:
      graph.node.exhausted.true: -5.0
      graph.node_count: 0.5
    templates:
      en: ["What does {focus} do for you?"]
  - id: aside
    name: Aside
    description: Ask for something else.
    technique: widen
    templates:
      en: ["What else is there?"]
phase_weights:
  coverage:
    early: {aside: 1.5}
opening: {en: "What comes to mind about {topic}?"}
closing: {en: Thank you.}
"""

CONCEPT = """\
format: interviewsite/concept
version: 1
id: lamp
name: A lamp
context:
  topic: reading in the evening
elements:
  - id: light
    label: warm light
    aliases: [soft light]
  - id: price
    label: price
"""
