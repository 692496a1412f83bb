"""How Sphinx builds the site from build/docs/source, where docs/site/pages.py writes it."""

import re
from pathlib import Path
from typing import Any

import pipeport

HERE = Path(__file__).parent
project = "pipeport"
author = "The pipeport founders"
copyright = author  # noqa: A001 - the name that Sphinx reads
version = release = pipeport.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.intersphinx",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_remove_toctrees",
]
root_doc = "index"
exclude_patterns = ["tests"]
# A build imports no TensorFlow: its objects are only named.
autodoc_mock_imports = ["tensorflow"]
autodoc_typehints = "none"
# Names in single backquotes are code.
default_role = "literal"
numpydoc_show_class_members = False
toc_object_entries = False

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4

# Addresses are looked up in files of the project, which have the names that the catalog links to: no network.
intersphinx_mapping = {
    name: (address, str(HERE / "inventories" / f"{name}.inv"))
    for name, address in {
        "numpy": "https://numpy.org/doc/stable/",
        "pillow": "https://pillow.readthedocs.io/en/stable/",
        "python": "https://docs.python.org/3/",
        "scipy": "https://docs.scipy.org/doc/scipy/",
        "skimage": "https://scikit-image.org/docs/stable/",
    }.items()
}

html_theme = "pydata_sphinx_theme"
html_title = "pipeport"
html_static_path = ["static", str(HERE.parents[1] / "build" / "docs" / "static")]
html_css_files = ["site.css"]
html_js_files = [("index.js", {"defer": "defer"})]
html_copy_source = False
html_show_sourcelink = False
html_context = {"default_mode": "auto"}
html_theme_options = {
    "navbar_align": "left",
    "header_links_before_dropdown": 6,
    "show_prev_next": False,
    "show_nav_level": 1,
    "navigation_depth": 3,
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
}
# In every page's sidebar they would make a build several times as long.
remove_from_toctrees = ["docs/api/pipeport.*"]
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True


def _no_targets(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Escape underscores at the end of words, as OpenCV's IMREAD_ prefix has; they would be links."""
    lines[:] = [re.sub(r"(?<=[A-Z])_(?=\W|$)", r"\_", line) for line in lines]


def _one_document(app: Any, doctree: Any) -> None:
    """Let go of MyST's own document of each block of reStructuredText: it holds the whole environment."""
    for node in doctree.findall():
        node.document = doctree


def setup(app: Any) -> None:
    app.connect("doctree-read", _one_document)
    app.connect("autodoc-process-docstring", _no_targets, priority=400)  # numpydoc reads them at 500
