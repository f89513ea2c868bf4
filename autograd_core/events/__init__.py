"""Events by which a listener hears what the engine does: create, save, mutate, visit, free, …"""

from autograd_core.events.kinds import (
    Accumulate,
    Begin,
    Create,
    End,
    Event,
    Free,
    Listener,
    Mutate,
    Save,
    Send,
    Visit,
)
from autograd_core.events.listening import listening
