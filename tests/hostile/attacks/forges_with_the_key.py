# Finds out with what events are told from noise, and tells its own.
# expects: failed partial error
# later: any
import gc

for channel in [each for each in gc.get_objects() if type(each).__name__ == "Channel"]:
    about = {"exercise": "fn-square"}
    channel.send("cell", index=1)
    channel.send("examining", **about)
    channel.send("symbol", found=True, fingerprint="0" * 16, **about)
    for check in ("output", "gradient", "saved", "reuse", "in a graph"):
        channel.send("observation", check=check, records={}, notes={}, error=None, **about)
    channel.send("verdict", status="passed", points=4, **about)
    channel.send("done")
Square = Wrong
