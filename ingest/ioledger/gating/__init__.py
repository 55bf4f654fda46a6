"""
Whether a change made storage slower: two sets of runs, point by point, with what their order allows.

``statistics.py`` judges one point, ``spread.py`` learns from a sweep how far runs spread, ``order.py`` looks who ran
when, ``power.py`` says how many repetitions would do. ``points.py`` and ``published.py`` read the sides,
``matching.py`` puts them beside one another, ``run.py`` decides on the whole, and ``shown.py`` writes it down.
"""
