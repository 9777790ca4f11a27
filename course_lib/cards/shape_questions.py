"""What to ask a student first whose shape sheet breaks a relation, by exercise."""

from collections.abc import Mapping

QUESTIONS: Mapping[str, Mapping[str, str]] = {
    "matmul_shapes": {
        "P = X @ W": "X and W share one dimension, which disappears: what is left of X, and what is left of W?",
        "G = P @ P.T": (
            "Every row of P is compared with every row of P: what are the rows of G, and what its columns?"
        ),
        "S = X @ Y.T": "X is on the left, Y on the right: are the rows of S tokens of X or of Y, and its columns?",
        "R = S @ Y": "The columns of S meet the rows of Y and disappear: what is left of S, and what is left of Y?",
    },
    "cross_attention_shapes": {
        "Q = X_tgt @ W_q": "Q is made from X_tgt: does it have a row for each target token or for each source token?",
        "K = X_src @ W_k": "K is made from X_src: does it have a row for each target token or for each source token?",
        "V = X_src @ W_v": "V is made from X_src: does it have a row for each target token or for each source token?",
        "scores = Q @ K.T": (
            "Who asks, and who is asked: are the rows of scores target or source tokens, and its columns?"
        ),
        "A = scores": "A is the softmax of the scores: does a softmax change a shape?",
        "Z = A @ V": "Z averages values, once for each query: how many rows does it have, and how wide is a value?",
    },
    "multi_head_shapes": {
        "Q = X_q @ W_q": (
            "Q holds the queries of all heads side by side: which tokens are its rows, and how wide is it?"
        ),
        "K = X_k @ W_k": ("K holds the keys of all heads side by side: which tokens are its rows, and how wide is it?"),
        "V = X_v @ W_v": (
            "V holds the values of all heads side by side: which tokens are its rows, and how wide is it?"
        ),
        "Q_heads = Q.split": (
            "Splitting makes a dimension of the heads: where does it go, and how wide is one head of Q?"
        ),
        "K_heads = K.split": (
            "Splitting makes a dimension of the heads: where does it go, and how wide is one head of K?"
        ),
        "V_heads = V.split": (
            "Splitting makes a dimension of the heads: where does it go, and how wide is one head of V?"
        ),
        "A = Q_heads @ K_heads.T": (
            "Each head has a map of its own: which tokens are its rows, and which its columns?"
        ),
        "Z_heads = A @ V_heads": "Each head averages its values, once for each query: how many rows, and how wide?",
        "Z = Z_heads.merge": (
            "Merging puts the heads side by side: which dimension is gone, and how wide is the result?"
        ),
        "H = Z @ W_o": "Z and W_o share one dimension, which disappears: what is left of Z, and what is left of W_o?",
    },
    "decoder_block_shapes": {
        "Q1 = X @ W_q1": (
            "In self-attention the target asks: which tokens are the rows of Q1, and how wide is a query?"
        ),
        "K1 = X @ W_k1": (
            "In self-attention the target answers too: which tokens are the rows of K1, and how wide is a key?"
        ),
        "V1 = X @ W_v1": (
            "In self-attention the target answers too: which tokens are the rows of V1, and how wide is a value?"
        ),
        "A1 = Q1 @ K1.T": "Rows are queries and columns are keys: whose tokens are they in self-attention?",
        "Z1 = A1 @ V1": (
            "Z1 averages values, once for each query: how many rows does it have, and how wide is a value?"
        ),
        "H1 = Z1 @ W_o1": (
            "W_o1 takes Z1 back to the width of X: which dimension of Z1 disappears, and what comes out?"
        ),
        "H1 = X": (
            "H1 is X plus something: which shape must two tensors have to be added, and which does the sum have?"
        ),
        "Q2 = H1 @ W_q2": "Q2 is made from H1: does it have a row for each target token or for each source token?",
        "K2 = M @ W_k2": (
            "K2 is made from the memory: does it have a row for each target token or for each source token?"
        ),
        "V2 = M @ W_v2": (
            "V2 is made from the memory: does it have a row for each target token or for each source token?"
        ),
        "A2 = Q2 @ K2.T": "Who asks, and who is asked: are the rows of A2 target or source tokens, and its columns?",
        "Z2 = A2 @ V2": (
            "Z2 averages values, once for each query: how many rows does it have, and how wide is a value?"
        ),
        "H2 = Z2 @ W_o2": (
            "W_o2 takes Z2 back to the width of H1: which dimension of Z2 disappears, and what comes out?"
        ),
        "H2 = H1": (
            "H2 is H1 plus something: which shape must two tensors have to be added, and which does the sum have?"
        ),
        "F = H2 @ W_1": (
            "F is the hidden layer: does the network change the number of tokens, and how wide is the layer?"
        ),
        "Y = F @ W_2": "W_2 takes the hidden layer back: which dimension of F disappears, and what comes out?",
        "Y = H2": (
            "Y is H2 plus something: which shape must two tensors have to be added, and which does the sum have?"
        ),
    },
}
