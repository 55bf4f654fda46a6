"""
Results as one page that needs nothing else: no script, no network, no other file.

``look.py`` has the colours, symbols and number formats of the site, ``pictures.py`` the charts as SVG, ``words.py``
what is said in two languages, and ``page.py`` puts them together.
"""
