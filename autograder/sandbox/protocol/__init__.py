"""The protocol of the examiner and a student's process: message framing, and a serialization that carries no code.

Copied into the sandbox, so it imports nothing but torch, numpy and itself.
"""
