"""How far each engine's logits are from float32 on the test frames."""

from dataclasses import asdict, dataclass

import numpy as np

# Largest difference of a float32 engine from the float32 reference, as a share of the largest logit: Winograd and
# reordered sums stay far below it, a wrong graph far above.
FLOAT_TOLERANCE = 1e-3
# An int8 engine below this is broken rather than coarse, as a share of signal to noise in dB.
INT8_FLOOR = 15.0
# Our int8 counts as not less accurate from this many dB below the best peer's: the spread that rounding alone makes.
INT8_MARGIN = 0.5


@dataclass
class Agreement:
    engine: str
    form: str
    snr_db: float
    largest: float
    same_class: float
    spread: float  # largest difference between the engine's own graphs of the same thing
    good: bool

    def json(self):
        return {key: (None if isinstance(value, float) and not np.isfinite(value) else value)
                for key, value in asdict(self).items()}


def compare(engine, form, logits, reference, spread):
    error = logits.astype(np.float64) - reference
    power = float((error ** 2).sum())
    snr = np.inf if power == 0 else 10 * np.log10(float((reference.astype(np.float64) ** 2).sum()) / power)
    largest = float(np.abs(error).max())
    bound = FLOAT_TOLERANCE * float(np.abs(reference).max())
    good = max(largest, spread) <= bound if form == "fp32" else bool(snr >= INT8_FLOOR)
    same = float((logits.argmax(axis=1) == reference.argmax(axis=1)).mean())
    return Agreement(engine, form, float(snr), largest, same, spread, good)


def not_less_accurate(agreements):
    """Whether our int8 holds up against the best peer's: (verdict, ours in dB, best peer's in dB)."""
    ours = [a.snr_db for a in agreements if a.engine == "ours" and a.form == "int8"]
    peers = [a.snr_db for a in agreements if a.engine != "ours" and a.form == "int8"]
    if not ours or not peers:
        return None, None, None
    return ours[0] >= max(peers) - INT8_MARGIN, ours[0], max(peers)
