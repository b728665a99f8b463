// What stands beside the drawing: one node with its words, its ties and what was said.
"use strict";

export function element(name, words, attributes = {}) {
  const made = document.createElement(name);
  if (words !== undefined) made.textContent = words;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

export function filled(panel, node, graph, go, close) {
  const title = element("h2", node.text, { class: "study-title", dir: "auto", tabindex: "-1" });
  const closing = element("button", "Close", { type: "button", class: "study-quiet graph-close" });
  closing.addEventListener("click", close);
  panel.replaceChildren(
    title,
    facts(node),
    ...ties(node, graph, "source", "target", (words) => `${words[0].toUpperCase()}${words.slice(1)}`, go),
    ...ties(node, graph, "target", "source", (words) => `What ${words} it`, go),
    ...quotes(node, graph.said),
    closing,
  );
  panel.scrollTop = 0;
  return title;
}

function facts(node) {
  const list = element("dl", undefined, { class: "talk-facts" });
  for (const [name, value] of node.facts) list.append(element("dt", name), element("dd", value, { dir: "auto" }));
  return list;
}

// The edges at one end of which the node stands, by relation.
function ties(node, graph, here, there, title, go) {
  const mine = graph.edges.filter((edge) => edge[here] === node);
  return Object.entries(graph.relations).flatMap(([relation, words]) => {
    const edges = mine.filter((edge) => edge.relation === relation);
    return edges.length ? [element("h3", title(words)), listed(edges, there, go)] : [];
  });
}

function listed(edges, there, go) {
  const list = element("ul", undefined, { class: "graph-ties" });
  for (const edge of edges) {
    const row = element("li");
    const button = element("button", edge[there].text, { type: "button", class: "study-link", dir: "auto" });
    button.addEventListener("click", () => go(edge[there]));
    row.append(button);
    if (edge.note) row.append(element("span", edge.note, { class: "study-muted" }));
    list.append(row);
  }
  return list;
}

function quotes(node, said) {
  const known = node.quotes.map((key) => said[key]).filter(Boolean);
  if (!known.length) return [];
  const list = element("ul", undefined, { class: "graph-quotes" });
  for (const quote of known) {
    const row = element("li");
    row.append(
      element("p", quote.text, { dir: "auto" }),
      element("a", quote.place, { href: quote.url, class: "study-link" }),
    );
    list.append(row);
  }
  return [element("h3", "What was said"), list];
}
