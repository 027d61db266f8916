"""English words that stand in nearly every passage; they cost time and rank nothing."""

from __future__ import annotations

_TEXT = """
a about above after again against all also am an and any are aren as at be because been before
being below between both but by can cannot could couldn d did didn do does doesn doing don down
during each either else ever every few for from further get gets give given go got had hadn has
hasn have haven having he her here hers herself him himself his how however i if in into is isn
it its itself just know let ll m many may me might more most much must mustn my myself need no
nor not now of off on once one only or other our ours ourselves out over own please quite rather
re s same shall shan she should shouldn show since so some such t tell than that the their
theirs them themselves then there these they this those though through to too under until up
upon us ve very want was wasn we were weren what whatever when where whether which while who
whom whose why will with within without won would wouldn yes yet you your yours yourself
yourselves
"""

STOP_WORDS = frozenset(_TEXT.split())
