# -*- coding: latin-1 -*-
# Aufgaben für Lektion 2 – gelöst am Küchentisch
import autograd_core as torch


# In[1]:
is_leaf = {"a": True, "b": True, "c": False, "d": True, "e": True, "f": False}  # f: für b


# In[2]:
def make_weight(größe):
    gewicht = torch.randn(größe).mul(0.1)
    gewicht.requires_grad_()
    return gewicht
