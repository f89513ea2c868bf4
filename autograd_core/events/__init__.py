"""What the engine does, told to whoever listens: create, save, mutate, visit, accumulate, free."""

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
