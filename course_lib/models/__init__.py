"""The architectures: encoder–decoder, decoder-only, encoder-only and vision, all from the same blocks."""
