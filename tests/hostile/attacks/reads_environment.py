# Looks for secrets in the environment.
# expects: failed partial error
import os

print("LOOT", len([name for name in os.environ if name in ("SECRET", "HOME_OF_SECRETS")]))
Square = Wrong
