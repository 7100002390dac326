"""Heddle from Python: runs, sweeps and published experiments as pandas data frames.

    import heddle as hd
    plain = hd.run("hotspot/small", hd.gpu("fermi-gtx480", sms=1))
    hybrid = hd.run("hotspot/small", hd.gpu("fermi-gtx480", sms=1), techniques=["hybrid"])
    print(hybrid.against(plain).energy)

The program computes, this package asks: every price, mean and figure comes from the program `heddle`.
"""

from ._machine import Gpu, gpu, parameters, parts
from ._open import open_result
from ._program import HeddleError, ResultsDiffer, __version__, plugin, program
from ._result import Comparison, Profile, Program, Result, describe, pack, run
from ._study import Experiment, Figure, Study, experiment, sweep

open = open_result

__all__ = [
    "Comparison", "Experiment", "Figure", "Gpu", "HeddleError", "Profile", "Program", "Result", "ResultsDiffer",
    "Study", "__version__", "describe", "experiment", "gpu", "open", "open_result", "pack", "parameters", "parts", "plugin",
    "program", "run", "sweep",
]
