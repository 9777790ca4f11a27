"""What a student may put into a submission so that it runs in the browser of whoever reads it.

Each calls `ran` with its name when it runs, or asks for a file by its name at an address where nothing listens.
"""

from collections.abc import Iterator

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_raw_cell

from autograder.course.cells import grade_id, is_answer
from autograder.course.notebooks import solution_notebook, student_notebook
from autograder.course.units import Unit
from autograder.demo.stories import fill_in

AWAY = "http://127.0.0.1:9"
SEEN = "this text of mine is here to be read"  # a page without it would pass, and show nothing

HTML = {
    "script": "<script>ran('{name}')</script>",
    "script-file": "<script src='{away}/{name}.js'></script>",
    "image-error": "<img src=x onerror=\"ran('{name}')\">",
    "image-file": "<img src='{away}/{name}.png' srcset='{away}/{name}-2.png 2x'>",
    "svg-onload": "<svg onload=\"ran('{name}')\"><script>ran('{name}')</script><image href='{away}/{name}.svg'/></svg>",
    "svg-animate": "<svg><animate onbegin=\"ran('{name}')\" attributeName=x dur=1s></svg>",
    "link": "<a href=\"javascript:ran('{name}')\">look here</a>",
    "link-tab": "<a href=\"java\tscript:ran('{name}')\">look here</a>",
    "link-data": "<a href=\"data:text/html,<script>parent.ran('{name}')</script>\">look here</a>",
    "link-away": "<a href='{away}/{name}' ping='{away}/{name}-ping'>look here</a>",
    "frame": "<iframe src='{away}/{name}'></iframe>",
    "frame-script": "<iframe src=\"javascript:parent.ran('{name}')\"></iframe>",
    "frame-document": "<iframe srcdoc=\"<script>parent.ran('{name}')</script>\"></iframe>",
    "object": "<object data='{away}/{name}'></object><embed src='{away}/{name}-2'>",
    "media": "<video src='{away}/{name}.mp4' onerror=\"ran('{name}')\"></video><audio src='{away}/{name}.ogg'>",
    "stylesheet": "<link rel=stylesheet href='{away}/{name}.css'><link rel=preload as=image href='{away}/{name}.png'>",
    "style": "<style>body {{ --injected: '{name}'; background: url({away}/{name}.png) }}</style>",
    "style-import": "<style>@import url('{away}/{name}.css');</style>",
    "style-attribute": "<p style=\"position: fixed; inset: 0; background: url('{away}/{name}.png')\">all over</p>",
    "refresh": "<meta http-equiv=refresh content='600;url={away}/{name}'>",
    "base": "<base href='{away}/{name}/'>",
    "form": "<form action='{away}/{name}'><input autofocus onfocus=\"ran('{name}')\"><button>Send</button></form>",
    "details": "<details open ontoggle=\"ran('{name}')\"><summary>more</summary></details>",
    "body": "<body onload=\"ran('{name}')\" background='{away}/{name}.png'>",
    "breakout": "</textarea></title></style></script></pre></code></svg>--><img src=x onerror=\"ran('{name}')\">",
    "breakout-attribute": "\" autofocus onfocus=\"ran('{name}')\" x=\"' onmouseover='ran(`{name}`)'",
    "noscript": "<noscript><p title=\"</noscript><img src=x onerror=ran('{name}')>\">",
    "template": "{{{{ 7 * 191 }}}} {{% for x in [1] %}}<script>ran('{name}')</script>{{% endfor %}} ${{ran('{name}')}}",
}
# some do nothing as they are, but once a careless filter or a Markdown renderer has been at them
MARKDOWN = {
    "mutation": "<math><mtext><table><mglyph><style><img src=x onerror=\"ran('{name}')\">",
    "script-split": "<scr<script>ipt>ran('{name}')</scr</script>ipt>",
    "md-link": "[look here](javascript:ran('{name}'))",
    "md-link-entity": "[look here](&#106;avascript:ran('{name}'))",
    "md-link-data": "[look here](data:text/html;base64,PHNjcmlwdD5wYXJlbnQucmFuKCk8L3NjcmlwdD4=)",
    "md-reference": "[look here][r]\n\n[r]: javascript:ran('{name}')",
    "md-autolink": "<javascript:ran('{name}')>",
    "md-image": "![look]({away}/{name}.png)",
    "md-image-title": '![look](x.png "\\" onerror=\\"ran(\'{name}\')")',
    "md-attachment": "![look](attachment:missing.png)",
    "md-mermaid": "```mermaid\ngraph TD; click A \"javascript:ran('{name}')\"\n<img src=x onerror=ran('{name}')>\n```",
    "md-fence": "```\" onmouseover=\"ran('{name}')\ncode\n```",
    "md-math": "$\\href{{javascript:ran('{name}')}}{{x}} <img src=x onerror=ran('{name}')>$",
    "md-math-link": "$\\href{{{away}/{name}}}{{x}}$",
    "md-math-style": "$\\style{{position: fixed; inset: 0; cursor: url({away}/{name}.cur)}}{{x}}$",
    "md-math-require": "$\\require{{../../../../{away}/{name}}} \\unicode{{x41}}$",
}
OUTPUTS = ("text/html", "image/svg+xml", "text/markdown", "text/latex", "text/plain", "application/javascript")


def fragments(kinds: dict[str, str], where: str) -> Iterator[str]:
    for name, pattern in kinds.items():
        yield pattern.format(name=f"{where}-{name}", away=AWAY)


def injected_notebook(unit: Unit) -> NotebookNode:
    """A submission to unit 01 with all of them: in code, in words, in outputs, in errors, in values and in names."""
    code = "\n".join(fragments(HTML, "code")).replace("\n", "\n# ")
    error = "".join(fragments(HTML, "error"))
    answers = {grade_id(cell): cell.source for cell in solution_notebook(unit).cells if is_answer(cell)}
    answers |= {
        "cross_attention_shapes": f"cross_attention_shapes = {{{'<img src=x onerror=ran(`key`)>'!r}: {error!r}}}",
        "query_key_value_roles": f"query_key_value_roles = {error!r}",
        "scaled_dot_product_attention": (
            f"# {code}\ndef scaled_dot_product_attention(q, k, v, mask=None):\n    raise ValueError({error!r})"
        ),
        "cross_attention": (
            f"Loud = type({'<script>ran(`class`)</script>'!r}, (Exception,), {{}})\n\n\n"
            f"def cross_attention(x_tgt, x_src, w_q, w_k, w_v):\n    raise Loud({SEEN!r})"
        ),
        "gram_attention": f"def gram_attention(X):\n    return {error!r}",
    }
    notebook = fill_in(student_notebook(unit), answers)
    for cell in notebook.cells:
        if grade_id(cell) == "explain_attention_matrix":
            words = [SEEN, *fragments(MARKDOWN, "answer"), *fragments(HTML, "answer")]
            cell.source = "\n\n".join(words)
        elif grade_id(cell) in ("column_attention", "gram_attention"):
            cell.source += f"\n{_showing('beside ' + grade_id(cell))}"
    free = new_markdown_cell("\n\n".join([*fragments(HTML, "free"), *fragments(MARKDOWN, "free")]))
    free.metadata.update({"tags": ["\" onmouseover=\"ran('tag')"], "name": "<script>ran('name')</script>"})
    raw = new_raw_cell("".join(fragments(HTML, "raw")), metadata={"format": "text/html", "raw_mimetype": "text/html"})
    notebook.cells += [free, raw, new_code_cell(_showing("free"))]
    notebook.metadata["title"] = "<script>ran('title')</script>"
    nbformat.validate(notebook)
    return notebook


def _showing(where: str) -> str:
    """A cell that shows every fragment as every kind of output, on both streams, as a broken picture and a widget."""
    where = where.replace(" ", "-")
    lines = ["import sys", "", "from IPython.display import display", ""]
    for fragment in fragments(HTML, where):
        data = dict.fromkeys(OUTPUTS, fragment) | {"application/javascript": f"ran('{where}-javascript')"}
        lines.append(f"display({data!r}, raw=True)")
        lines += [f"display({{{kind!r}: {text!r}}}, raw=True)" for kind, text in data.items()]
        lines.append(f"print({fragment!r}); print({fragment!r}, file=sys.stderr)")
        odd = {"image/png": f"x\" onerror=\"ran('{where}-png')", "image/jpeg": fragment}
        metadata = {"image/png": {"width": f"\" onerror=\"ran('{where}-width')", "alt": fragment}, "width": fragment}
        lines.append(f"display({odd!r}, metadata={metadata!r}, raw=True)")
    view = {"application/vnd.jupyter.widget-view+json": {"model_id": "</script><script>ran('widget')</script>"}}
    lines.append(f"display({view!r}, raw=True)")
    lines.append(f"raise ValueError({''.join(fragments(HTML, where))!r})")
    return "\n".join(lines)
