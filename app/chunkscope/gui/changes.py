"""What panels listen to: flags, so that one signal can tell of several changes."""

from __future__ import annotations

from enum import Flag, auto


class Change(Flag):
    """What has changed; a panel decides itself whether to look."""

    DOCUMENTS = auto()
    CURRENT = auto()
    PROFILE = auto()
    CHUNKS = auto()
    SELECTION = auto()


class IndexChange(Flag):
    """What has changed; a panel decides itself whether to look."""

    WORKSPACE = auto()  # another one is open, or none
    STANDS = auto()  # how documents stand to the index
    PROFILES = auto()  # which profiles are indexed
    RUN = auto()  # the run that indexes: begun, moved, paused, ended


class SearchChange(Flag):
    """As above, of what is asked and answered."""

    RESULT = auto()
    SELECTION = auto()
    OPTIONS = auto()
    CONTEXT = auto()
    WHY_NOT = auto()
    HEAT = auto()


class TuningChange(Flag):
    """What has changed; a panel decides itself whether to look."""

    QUERIES = auto()  # the questions and their labels
    FINDINGS = auto()  # what is wrong with labels
    LIVE = auto()  # what the labels say about the cut that is shown
    PLAN = auto()  # which configurations a sweep would try
    PROGRESS = auto()  # the sweep that runs: begun, moved, ended
    ROWS = auto()  # the leaderboard
    CHOSEN = auto()  # the rows that plots and details are about
    ROBUSTNESS = auto()
