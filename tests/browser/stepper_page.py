"""A bare page with a stepper on it, and a model that stands in for the notebook's."""

import json

from lessons.widgets.stepper.browser_half import joined_module, joined_style

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Stepper</title>
<style>{style}</style><body><div id="stepper"></div>
<script type="module">
{module}
const data = {data};
const listeners = {{}};
const heard = (name) => (listeners[name] ??= []);
window.listening = () => Object.values(listeners).flat().length;
window.model = {{
  get: (key) => data[key],
  set(key, value) {{
    data[key] = value;
    [...heard(`change:${{key}}`)].forEach((listener) => listener());
  }},
  save_changes() {{}},
  on: (name, listener) => heard(name).push(listener),
  off: (name, gone) => (listeners[name] = heard(name).filter((listener) => listener !== gone)),
}};
window.end = widget.render({{ model, el: document.getElementById("stepper") }});
</script></body></html>"""


class SteppedPage:
    """The page, what the stepper says on it, and what the browser complained of."""

    def __init__(self, browser, folder, story, width=1100, page_style="", **options):
        data = {"story": story, "position": 0, "committed": {}, "variant": ""}
        module = joined_module().replace("export default", "const widget =")
        content = PAGE.format(
            style=page_style + joined_style(),
            module=module,
            data=json.dumps(data).replace("</", "<\\/"),
        )
        file = folder / "stepper.html"
        file.write_text(content, encoding="utf-8")
        self.context = browser.new_context(viewport={"width": width, "height": 1000}, **options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(10_000)
        self.complaints, self.requests = [], []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(file.as_uri())
        self.root = self.page.locator("#stepper > *")
        self.address = file.as_uri()

    def at(self, selector):
        return self.page.locator(f".al-stepper {selector}")

    def text(self, selector):
        return self.at(selector).inner_text()

    @property
    def says(self):
        return self.text(".says")

    @property
    def count(self):
        return self.text(".count")

    def press(self, *keys):
        self.root.focus()
        for key in keys:
            self.page.keyboard.press(key)

    def get(self, key):
        return self.page.evaluate("key => model.get(key)", key)

    def set(self, key, value):
        self.page.evaluate("([key, value]) => model.set(key, value)", [key, value])

    def node(self, key):
        """All text that a node shows, row by row."""
        rows = self.at(f'.node[data-id="{key}"] text').all_text_contents()
        return " ".join(rows)

    def chips(self):
        """What is told beside the edges, by the edge's id."""
        pairs = self.at(".chip:not(.mover)").evaluate_all(
            "chips => chips.map((chip) =>"
            " [chip.dataset.id, chip.querySelector('text').textContent])"
        )
        return dict(pairs)
