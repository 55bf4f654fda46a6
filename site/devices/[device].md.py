# ruff: noqa: INP001  (the site's framework names loaders)
"""The page of one device model."""

import sys

sys.path.insert(0, "site/data")
from page import content, page

name, found = content("devices", sys.argv[1])
device = found["device"]
keywords = " ".join(str(device.get(key, "")) for key in ("vendor", "model", "part_number", "media_class", "nand_type"))
body = f"""import {{devicePage}} from "../components/device.js";
display(devicePage(await FileAttachment("./{name}.json").json()));"""
sys.stdout.write(page(device.get("device", name), f"{name} {keywords}", "", body))
