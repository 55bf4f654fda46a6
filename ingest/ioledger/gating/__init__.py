"""
Whether a change made storage slower: two sets of runs, point by point, with what their order allows.

``points.py`` reads the sides, ``order.py`` finds who ran when, ``matching.py`` pairs the points of both sides,
``run.py`` tests and decides, ``power.py`` says how many runs would do; ``verdict.py`` and ``formats.py`` hold the
verdict and its forms.
"""
