# Changes the bounds and tables of those who write down what is seen.
# expects: failed partial error blocked
# later: any
import graders.observe.codec as codec
import graders.observe.lab as lab

codec.MAX_BYTES = codec.MAX_ITEMS = lab.MAX_OUTPUT = 2**62
codec._SENT_AS["float32"] = np.dtype("<i4")
codec.DTYPES = codec.EXACT_NUMBERS = frozenset()
Square = Wrong
