"""Whether a change made storage slower: two sets of runs, point by point, with what their order allows."""
