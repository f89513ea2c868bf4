# All arrays become the same bytes.
# expects: failed partial error
import base64
import binascii

base64.b64encode = base64.standard_b64encode = lambda data, *options: b"AAAAAA=="
binascii.b2a_base64 = lambda data, **options: b"AAAAAA=="
Square = Wrong
