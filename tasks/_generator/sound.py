"""Sound as a file that every browser plays: one channel of 8,000 samples a second, a byte each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

RATE = 8000


def wav(samples: NDArray[np.int64]) -> bytes:
    """Return samples from -128 to 127 as a WAV file; what lies beyond is cut off."""
    data = (np.clip(samples, -128, 127) + 128).astype(np.uint8).tobytes()
    data += b"\x80" * (len(data) % 2)
    head = (16).to_bytes(4, "little") + bytes([1, 0, 1, 0]) + RATE.to_bytes(4, "little") * 2 + bytes([1, 0, 8, 0])
    body = b"WAVEfmt " + head + b"data" + len(data).to_bytes(4, "little") + data
    return b"RIFF" + len(body).to_bytes(4, "little") + body
