"""A tiny language model for llama.cpp with random weights: 2 layers, and a byte-level vocabulary."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from gguf import GGUFWriter, TokenType

WIDTH, LAYERS, HEADS, INNER, CONTEXT = 64, 2, 4, 128, 8192
WORDS = ["the", "and", "of", "你好", "世界", "é", "🙂", "."]
TEMPLATE = (
    "{% for message in messages %}<|{{ message['role'] }}|>{{ message['content'] }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


def byte_signs() -> dict[int, str]:
    """GPT-2's printable stand-in for each byte."""
    shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [byte for byte in range(256) if byte not in shown]
    return {byte: chr(byte) for byte in shown} | {byte: chr(256 + i) for i, byte in enumerate(hidden)}


def vocabulary() -> tuple[list[str], list[str]]:
    """Tokens and merges: all bytes, and the few words merged from the left."""
    signs = byte_signs()
    tokens, merges = list(signs.values()), []
    for word in WORDS:
        pieces = [signs[byte] for byte in word.encode()]
        joined = pieces[0]
        for piece in pieces[1:]:
            if joined + piece not in tokens:
                merges.append(f"{joined} {piece}")
                tokens.append(joined + piece)
            joined += piece
    return tokens, merges


def write_tiny_gguf(path: Path, *, seed: int = 0, endless: bool = False) -> Path:
    """Write the file; an endless model never produces its end marker, so answers have the maximal length."""
    tokens, merges = vocabulary()
    special = ["<|end|>", "<|system|>", "<|user|>", "<|assistant|>"]
    writer = GGUFWriter(path, "llama")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(len(tokens) + len(special))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens + special)
    writer.add_token_types([TokenType.NORMAL] * len(tokens) + [TokenType.CONTROL] * len(special))
    writer.add_token_merges(merges)
    writer.add_bos_token_id(len(tokens))
    writer.add_eos_token_id(len(tokens))
    writer.add_add_bos_token(False)
    writer.add_chat_template(TEMPLATE)
    for name, shape in shapes(len(tokens) + len(special)).items():
        writer.add_tensor(name, weights(name, shape, seed, len(tokens) if endless else None))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def shapes(vocabulary_size: int) -> dict[str, tuple[int, ...]]:
    layer = {
        "attn_norm": (WIDTH,),
        "attn_q": (WIDTH, WIDTH),
        "attn_k": (WIDTH, WIDTH),
        "attn_v": (WIDTH, WIDTH),
        "attn_output": (WIDTH, WIDTH),
        "ffn_norm": (WIDTH,),
        "ffn_gate": (INNER, WIDTH),
        "ffn_up": (INNER, WIDTH),
        "ffn_down": (WIDTH, INNER),
    }
    blocks = {f"blk.{i}.{name}.weight": shape for i in range(LAYERS) for name, shape in layer.items()}
    table = (vocabulary_size, WIDTH)
    return {"token_embd.weight": table, "output_norm.weight": (WIDTH,), "output.weight": table, **blocks}


def weights(name: str, shape: tuple[int, ...], seed: int, never: int | None) -> np.ndarray:
    """Random weights; the first column carries a constant to the output, which suppresses the token `never`."""
    if name.endswith("norm.weight"):
        return np.ones(shape, dtype=np.float32)
    rng = np.random.default_rng([seed, *name.encode()])
    values = rng.normal(0, 0.3, shape).astype(np.float32)
    if name == "token_embd.weight":
        values[:, 0] = 3
    if "attn_output" in name or "ffn_down" in name:
        values[0] = 0
    if name == "output.weight":
        values[:, 0] = 0
        if never is not None:
            values[never] = 0
            values[never, 0] = -30
    return values
