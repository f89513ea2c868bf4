# Ends the process in every cell, so that it has to be started again and again.
# expects: error timeout
# later: any
import os

Square = Wrong
os._exit(0)
# %%
os._exit(0)
# %%
os._exit(0)
# %%
os._exit(0)
# %%
os._exit(0)
# %%
os._exit(0)
# %%
os._exit(0)
# %%
os._exit(0)
# %%
os._exit(0)
# %%
os._exit(0)
# %%
os._exit(0)
# %%
os._exit(0)
# %%
os._exit(0)
# %%
os._exit(0)
# %%
os._exit(0)
# %%
os._exit(0)
# %%
os._exit(0)
# %%
os._exit(0)
# %%
os._exit(0)
# %%
os._exit(0)
# %%
os._exit(0)
