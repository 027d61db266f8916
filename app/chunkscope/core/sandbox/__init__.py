"""Worker processes with limits: hostile input costs one worker and one sentence."""

from chunkscope.core.sandbox.limits import Limits
from chunkscope.core.sandbox.pool import Failure, Item, Sandbox, WorkerFailed

__all__ = ["Failure", "Item", "Limits", "Sandbox", "WorkerFailed"]
