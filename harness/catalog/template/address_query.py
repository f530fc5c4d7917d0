"""What AMT adds to the address of a requester's page, by which pages tell whether their task was accepted.

The same for every instance, so that nobody who reads it knows which one a page is.
"""

from __future__ import annotations

from urllib.parse import urlencode

from harness.catalog.template.wrapping import IDS

ACCEPTED = urlencode({**IDS, "turkSubmitTo": "https://www.mturk.com"})
"""Of a page to be worked."""
PREVIEWED = urlencode({"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE", "hitId": IDS["hitId"]})
"""Of a page that somebody looks at before they accept it: pages lock their form there, or say what they are about."""
