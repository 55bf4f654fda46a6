"""
What may be compared, how sure it is, and the words for it.

A comparison has a grade (are the conditions the same?), evidence (how direct is it?) and a verdict (what do the numbers
say?). The three are told apart and never mixed. The SQL models say what is paired with what, and call these functions.
"""
