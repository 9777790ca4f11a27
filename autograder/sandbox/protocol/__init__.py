"""What crosses between the examiner and a student's process: frames on a socket, and values without code.

Copied into the sandbox, so it imports nothing but torch, numpy and itself.
"""
