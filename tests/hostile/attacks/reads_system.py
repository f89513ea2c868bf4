# Reads users, passwords, keys and the machine's name.
# expects: blocked error
import pathlib

Square = Wrong
loot = 0
for path in ("/etc/shadow", "/etc/hostname", "/var/log/syslog", "/.dockerenv"):
    try:
        loot += len(pathlib.Path(path).read_bytes())
    except OSError:
        pass
print("LOOT", loot)
print(open("/etc/passwd").read())
