"""How Sphinx builds the site of the documentation: ``make docs``."""

from importlib.metadata import version as version_of

import harness

# Autodoc changes defaults of functions while it reads them; the specifications of actions are made from these before.
for name in harness.__all__:
    getattr(harness, name)

project = "turkbench"
author = "the authors"
release = version = version_of("turkbench")
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton", "sphinx_llms_txt"]

html_theme = "furo"
html_title = f"turkbench {version}"
html_show_sourcelink = False
html_static_path = ["_static"]
html_js_files = [("keyboard.js", {"defer": "defer"})]

myst_heading_anchors = 4  # links to headings, as hosts of repositories make them

autodoc_member_order = "bysource"
autodoc_preserve_defaults = True  # the folder of the bundled tasks is another on each machine
