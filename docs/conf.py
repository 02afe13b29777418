"""Configuration of Sphinx: pages in MyST Markdown, notebooks that run, a reference by autodoc.

No page asks for anything outside its own folder: no CDN, no fonts, no inventories of other projects.
"""

from __future__ import annotations

import sys
from pathlib import Path

# It compiles 38 grammars when jsonschema is imported, in three seconds, for formats that nothing here checks.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

import hook_widgets  # noqa: E402

DOCS = Path(__file__).resolve().parent
sys.path[:0] = [str(DOCS / "_ext"), str(DOCS.parent)]

project = "hook_widgets"
author = "The hook_widgets developers"
version = release = hook_widgets.__version__

extensions = [
    "calculator_inputs",
    "client_policies",
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "notebooks",
    "provider_pages",
    "quoted",
    "receiver_checks",
    "sources",
    "typed",
]
exclude_patterns = ["_ext", "_static", "lite", "images"]

# --- text ---------------------------------------------------------------------------------------------------

myst_enable_extensions = ["colon_fence", "deflist", "tasklist"]
myst_heading_anchors = (
    4  # the headings that other pages may point to, with the names that code hosts give them
)
default_role = "quoted"  # `code` in docstrings, linked where it is a name of ours
nitpicky = True
# What is documented elsewhere: the standard library and other packages. Never a name of ours.
nitpick_ignore_regex = [
    (r"py:.*", r"(?!hook_widgets\b)[a-z_]+\..+"),
    (r"py:.*", r"(None|Any|bool|bytes|dict|float|frozenset|int|list|object|set|str|tuple|type)"),
    (r"py:class", r"\w+=.*"),  # what pydantic is told beside a type
]

# --- reference ----------------------------------------------------------------------------------------------

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = False  # it expects the arguments of the source, and inputs are added to some
autodoc_default_options = {"members": True}
napoleon_numpy_docstring = False
napoleon_use_ivar = True  # attributes as one list
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88
toc_object_entries_show_parents = "hide"

# --- notebooks ----------------------------------------------------------------------------------------------

nb_execution_mode = "cache"
nb_execution_raise_on_error = True
nb_execution_timeout = 60
nb_merge_streams = True
nb_ipywidgets_js = {}  # a page has no kernel: widgets show their readable form, and no script of a CDN
nb_mime_priority_overrides = [("html", "application/vnd.jupyter.widget-view+json", None)]

# --- pages --------------------------------------------------------------------------------------------------

html_theme = "furo"
html_title = "hook_widgets"
html_favicon = "_static/icon.svg"
html_static_path = ["_static"]
html_css_files = ["pages.css"]
html_js_files = ["pages.js"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
