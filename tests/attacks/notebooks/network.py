# Talks to a server on this machine, to one outside, to a name server and to an abstract socket.
# %% attack
import socket

for address in (("127.0.0.1", 47113), ("::1", 47113), "\0course-attack-47113", ("1.1.1.1", 53), ("example.org", 80)):
    family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET6 if ":" in address[0] else socket.AF_INET
    try:
        with socket.socket(family) as connection:
            connection.settimeout(1)
            connection.connect(address)
            connection.sendall(b"left-by-an-attack")
            print("network: connected to", address)
    except OSError:
        pass
