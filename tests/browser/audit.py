"""Watch a page that shows a student's content: what runs, what it asks for, and what its elements could do."""

from dataclasses import dataclass, field

from playwright.sync_api import Page

SUSPECTS = """() => {
    const found = [];
    const address = ["href", "src", "srcset", "action", "formaction", "data", "ping", "background", "xlink:href"];
    for (const element of document.querySelectorAll("*")) {
        for (const {name, value} of element.attributes) {
            if (name.startsWith("on")) found.push(`${element.tagName} ${name}=${value}`);
            if (address.includes(name) && !/^(#|data:image\\/(png|jpeg);base64,[A-Za-z0-9+\\/=\\s]*$)/.test(value))
                found.push(`${element.tagName} ${name}=${value}`);
            if (name === "style" && /url\\(/.test(value)) found.push(`${element.tagName} ${name}=${value}`);
        }
        if (["IFRAME", "OBJECT", "EMBED", "BASE", "FORM", "VIDEO", "AUDIO"].includes(element.tagName))
            found.push(element.tagName);
        if (element.tagName === "META" && element.httpEquiv.toLowerCase() === "refresh") found.push("META refresh");
    }
    return found;
}"""


@dataclass
class Audit:
    """`ran` and `asked` grow while the page is open."""

    page: Page
    ran: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def suspects(self) -> list[str]:
        """Elements that could do something later, on a click or a hover."""
        return self.page.evaluate(SUSPECTS)

    def style(self) -> str:
        """What an injected style sheet has set."""
        return self.page.evaluate("getComputedStyle(document.body).getPropertyValue('--injected')")


def audit(page: Page) -> Audit:
    """Watch a page from now on: what calls `ran`, what opens a dialog, and what is asked for."""
    watched = Audit(page)
    page.expose_function("ran", lambda name: watched.ran.append(name))
    page.on("dialog", lambda dialog: (watched.ran.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: watched.asked.append(request.url))
    return watched
