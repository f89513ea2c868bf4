"""Reading pages back: their elements, links and text."""

from html.parser import HTMLParser

VOID = {"meta", "input", "br", "link", "circle", "line", "rect"}


class Page(HTMLParser):
    """A page's elements and text; fails on tags that do not match."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.text, self.links, self.ids, self._open = [], "", [], [], []
        self.feed(text)
        assert not self._open

    def handle_starttag(self, tag, attributes):
        self.elements.append(tag)
        attributes = dict(attributes)
        self.links += [attributes[name] for name in ("href", "src") if name in attributes]
        self.ids += [attributes["id"]] if "id" in attributes else []
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self._open.pop() == tag

    def handle_data(self, data):
        if not self._open or self._open[-1] not in {"script", "style"}:
            self.text += data


def words_of(text):
    return " ".join(Page(text).text.split())
