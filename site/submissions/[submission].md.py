# ruff: noqa: INP001  (the site's framework names loaders)
"""The page of one submission."""

import sys

sys.path.insert(0, "site/data")
from page import content, page

name, found = content("submissions", sys.argv[1])
submission = found["submission"]
keywords = " ".join(
    str(submission.get(key, "")) for key in ("devices", "tools", "citation_publisher", "citation_title")
)
body = f"""import {{submissionPage}} from "../components/submission.js";
const later = () => FileAttachment("./results/{name}.json").json();
const numbers = () => FileAttachment("./numbers/{name}.json").json();
display(submissionPage(await FileAttachment("./{name}.json").json(), later, numbers));"""
sys.stdout.write(page(submission["title"], f"{name} {keywords}", submission.get("summary", ""), body))
