"""Draws launches for scripts/estimates --unseen: kernels written as PTX with drawn parameters, block and grid sizes.

The launches check intervals of estimates on kernels that no constant of the method was chosen on. Each family of kernels has a
behaviour that a part of a grid does not show, or shows only later: CTAs that come out of step, caches that fill, irregular loops,
CTAs whose accesses change along the grid, CTAs of two kinds. Equal seeds draw equal launches.
"""
import dataclasses
import json
import pathlib
import random
from collections.abc import Callable

WORDS = 1 << 20  # of the input, 4 MiB; indices are masked with WORDS - 1
RESULTS = 1 << 16
WAVES = ((5, 10), (10, 20), (20, 40), (40, 100), (100, 200))
PRESETS = {"fermi-gtx480": (8, 48), "maxwell-gtx980": (32, 64)}  # CTAs and warps that an SM holds
INSTRUCTIONS = (60_000, 600_000)  # warp-instructions of a launch, about


@dataclasses.dataclass
class Drawn:
    name: str
    family: str
    gpu: str
    sms: int
    waves: float
    file: pathlib.Path


class Body:
    """PTX of a kernel's loop: its instructions, and how many there are in one pass."""

    def __init__(self, rng: random.Random, block: int, ctas: int) -> None:
        self.rng, self.block, self.ctas = rng, block, ctas
        self.before: list[str] = []
        self.loop: list[str] = []
        self.after: list[str] = []
        self.longer = 1  # instructions of one pass, as a multiple of those in `loop`

    def load(self, into: str, index: str, array: str = "%rd1") -> list[str]:
        """Loads word `index` (masked) of an array into a register."""
        return [f"and.b32 %r20, {index}, {WORDS - 1};", "mul.wide.u32 %rd4, %r20, 4;", f"add.u64 %rd4, {array}, %rd4;",
                f"ld.global.b32 {into}, [%rd4];"]

    def fold(self) -> list[str]:
        """Adds %f1 of all threads in shared memory."""
        lines = ["shl.b32 %r21, %tid.x, 2;", "mov.u32 %r22, tile;", "add.u32 %r21, %r21, %r22;", "st.shared.f32 [%r21], %f1;", "bar.sync 0;"]
        width = 1 << (self.block.bit_length() - 1)
        if width == self.block:
            width //= 2
        while width:
            lines += [f"setp.lt.u32 %p3, %tid.x, {width};", f"add.u32 %r23, %tid.x, {width};", f"setp.lt.and.u32 %p3, %r23, {self.block}, %p3;",
                      f"@%p3 ld.shared.f32 %f2, [%r21+{4 * width}];", "@%p3 ld.shared.f32 %f3, [%r21];", "@%p3 add.f32 %f3, %f3, %f2;",
                      "@%p3 st.shared.f32 [%r21], %f3;", "bar.sync 0;"]
            width //= 2
        return lines


def scalar_product(body: Body) -> None:
    length = body.block * body.rng.choice((4, 16, 64))
    body.before = [f"mul.lo.u32 %r5, %ctaid.x, {length};", "add.u32 %r5, %r5, %tid.x;"]
    body.loop = [*body.load("%f2", "%r5"), f"add.u32 %r6, %r5, {WORDS // 2};", *body.load("%f3", "%r6"), "fma.rn.f32 %f1, %f2, %f3, %f1;",
                 f"add.u32 %r5, %r5, {body.block};"]
    body.after = body.fold()


def reduction(body: Body) -> None:
    body.before = ["mov.u32 %r5, %r3;"]
    for _ in range(body.rng.choice((1, 2, 4))):
        body.loop += [*body.load("%f2", "%r5"), "add.f32 %f1, %f1, %f2;", f"add.u32 %r5, %r5, {body.ctas * body.block};"]
    body.after = body.fold()


def fma_loop(body: Body) -> None:
    chains, length = body.rng.choice((1, 2, 4)), body.rng.choice((4, 8, 16))
    body.loop = [f"fma.rn.f32 %f{1 + i % chains}, %f{1 + i % chains}, 0f3F7FF000, 0f3F000000;" for i in range(length)]


def matrix_product(body: Body) -> None:
    steps = body.rng.choice((4, 8, 16))
    body.before = ["shl.b32 %r21, %tid.x, 2;", "mov.u32 %r22, tile;", "add.u32 %r21, %r21, %r22;", "mov.u32 %r5, %r3;"]
    body.loop = [*body.load("%f2", "%r5"), "st.shared.f32 [%r21], %f2;", "bar.sync 0;"]
    for step in range(steps):
        body.loop += [f"ld.shared.f32 %f2, [%r22+{4 * step}];", f"ld.shared.f32 %f3, [%r21+{4 * (step % 4)}];", "fma.rn.f32 %f1, %f2, %f3, %f1;"]
    body.loop += ["bar.sync 0;", f"add.u32 %r5, %r5, {body.block * body.rng.choice((1, 16))};"]


def stencil(body: Body) -> None:
    width = body.rng.choice((256, 1000, 4096))
    body.before = ["mov.u32 %r5, %r3;"]
    for near in (0, 1, -1, width, -width):
        body.loop += [f"add.s32 %r6, %r5, {near};", *body.load("%f2", "%r6"), "add.f32 %f1, %f1, %f2;"]
    body.loop.append(f"add.u32 %r5, %r5, {width * body.rng.choice((1, 32))};")


def gather(body: Body) -> None:
    body.before = ["mov.u32 %r5, %r3;"]
    body.loop = [*body.load("%r6", "%r5"), f"and.b32 %r6, %r6, {body.rng.choice((1023, 65535, WORDS - 1))};", *body.load("%f2", "%r6"),
                 "add.f32 %f1, %f1, %f2;", f"add.u32 %r5, %r5, {body.ctas * body.block};"]


def histogram(body: Body) -> None:
    body.before = ["mov.u32 %r5, %r3;"]
    body.loop = [*body.load("%r6", "%r5"), f"and.b32 %r6, %r6, {body.rng.choice((15, 63, 255))};", "shl.b32 %r6, %r6, 2;", "mov.u32 %r22, tile;",
                 "add.u32 %r6, %r6, %r22;", "red.shared.add.u32 [%r6], 1;", f"add.u32 %r5, %r5, {body.block};"]
    body.after = ["bar.sync 0;"]


def irregular_loops(body: Body) -> None:
    """Threads leave the loop after a number of passes that their data determine."""
    mask = body.rng.choice((3, 7, 15))
    body.before = [*body.load("%r7", "%r3"), f"and.b32 %r7, %r7, {mask};", "shl.b32 %r7, %r7, 4;", "mov.u32 %r5, %r3;"]
    body.loop = [*body.load("%f2", "%r5"), "fma.rn.f32 %f1, %f2, %f2, %f1;", "add.u32 %r5, %r5, 97;", "setp.ge.u32 %p4, %r4, %r7;", "@%p4 bra LEAVE;"]


def drift(body: Body) -> None:
    """The distance between the words of neighbouring threads grows with the CTA."""
    most = body.rng.choice((4, 32))
    body.before = [f"mul.lo.u32 %r6, %ctaid.x, {most};", f"div.u32 %r6, %r6, {body.ctas};", "add.u32 %r6, %r6, 1;", "mul.lo.u32 %r5, %r3, %r6;"]
    body.loop = [*body.load("%f2", "%r5"), "fma.rn.f32 %f1, %f2, %f2, %f1;", f"add.u32 %r5, %r5, {33 * body.block};"]


def two_kinds(body: Body) -> None:
    """Some CTAs compute and others load; both execute equally many instructions."""
    if body.rng.random() < 0.5:
        body.before = [f"setp.lt.u32 %p5, %ctaid.x, {int(body.ctas * body.rng.uniform(0.2, 0.8))};"]
    else:
        body.before = [f"rem.u32 %r6, %ctaid.x, {body.rng.choice((2, 3, 5))};", "setp.eq.u32 %p5, %r6, 0;"]
    body.before += ["mul.lo.u32 %r5, %r3, 17;"]
    loads = [*body.load("%f2", "%r5"), "add.f32 %f1, %f1, %f2;", "add.u32 %r5, %r5, 4096;"]
    body.loop = ["@%p5 bra OTHER;", *loads, "bra.uni JOIN;", "OTHER:", *["fma.rn.f32 %f1, %f1, 0f3F7FF000, 0f3F000000;"] * len(loads), "bra.uni JOIN;",
                 "JOIN:"]


def atomics(body: Body) -> None:
    body.before = [f"and.b32 %r6, %r3, {body.rng.choice((0, 31, 1023))};", "mul.wide.u32 %rd5, %r6, 4;", "add.u64 %rd5, %rd2, %rd5;"]
    body.loop = ["red.global.add.u32 [%rd5], 1;", *["fma.rn.f32 %f1, %f1, 0f3F7FF000, 0f3F000000;"] * body.rng.choice((8, 24))]


def bank_conflicts(body: Body) -> None:
    step = body.rng.choice((1, 2, 8, 33))
    body.before = [f"mul.lo.u32 %r21, %tid.x, {4 * step};", "and.b32 %r21, %r21, 4095;", "mov.u32 %r22, tile;", "add.u32 %r21, %r21, %r22;",
                   "mov.u32 %r5, %r3;"]
    body.loop = [*body.load("%f2", "%r5"), "st.shared.f32 [%r21], %f2;", "ld.shared.f32 %f3, [%r21];", "sin.approx.f32 %f3, %f3;", "add.f32 %f1, %f1, %f3;",
                 f"add.u32 %r5, %r5, {body.block};"]


def spreading_gather(body: Body) -> None:
    """Later CTAs gather from more words, so that caches serve fewer of them; they access memory equally often."""
    most = body.rng.choice((4096, 65536, WORDS - 1024))
    body.before = ["mov.u32 %r5, %r3;", "mov.u32 %r9, %ctaid.x;", f"mul.lo.u32 %r9, %r9, {most // body.ctas + 1};", "add.u32 %r9, %r9, 512;"]
    body.loop = [*body.load("%r6", "%r5"), "rem.u32 %r6, %r6, %r9;", *body.load("%f2", "%r6"), "add.f32 %f1, %f1, %f2;",
                 f"add.u32 %r5, %r5, {body.ctas * body.block};"]


def copy(body: Body) -> None:
    body.before = ["mov.u32 %r5, %r3;"]
    body.loop = [*body.load("%r6", "%r5"), f"and.b32 %r7, %r5, {RESULTS - 1};", "mul.wide.u32 %rd5, %r7, 4;", "add.u64 %rd5, %rd2, %rd5;",
                 "st.global.u32 [%rd5], %r6;", f"add.u32 %r5, %r5, {body.rng.choice((body.block, body.ctas * body.block))};"]


def phases(body: Body) -> None:
    """Each pass loads, then computes."""
    body.before = ["mov.u32 %r5, %r3;"]
    for _ in range(body.rng.choice((2, 6))):
        body.loop += [*body.load("%f2", "%r5"), "add.f32 %f1, %f1, %f2;", f"add.u32 %r5, %r5, {body.ctas * body.block};"]
    body.loop += ["fma.rn.f32 %f1, %f1, 0f3F7FF000, 0f3F000000;"] * body.rng.choice((8, 32))


def barriers(body: Body) -> None:
    """The first warp works longer between barriers."""
    body.loop = ["bar.sync 0;", "fma.rn.f32 %f1, %f1, 0f3F7FF000, 0f3F000000;", "setp.lt.u32 %p3, %tid.x, 32;", "@!%p3 bra SHORT;",
                 *["fma.rn.f32 %f1, %f1, 0f3F7FF000, 0f3F000000;"] * body.rng.choice((2, 8)), "SHORT:"]


FAMILIES: tuple[Callable[[Body], None], ...] = (scalar_product, reduction, fma_loop, matrix_product, stencil, gather, histogram, irregular_loops, drift,
                                                two_kinds, atomics, bank_conflicts, spreading_gather, copy, phases, barriers)


def ptx_of(body: Body, passes: int) -> str:
    lines = ["ld.param.u64 %rd1, [in];", "ld.param.u64 %rd2, [out];", "mov.u32 %r3, %ctaid.x;", f"mul.lo.u32 %r3, %r3, {body.block};",
             "mov.u32 %r1, %tid.x;", "add.u32 %r3, %r3, %r1;", "mov.f32 %f1, 0f3F800000;", "mov.f32 %f2, %f1;", "mov.f32 %f3, %f1;", "mov.f32 %f4, %f1;",
             *body.before, "mov.u32 %r4, 0;", "AGAIN:", *body.loop, "add.u32 %r4, %r4, 1;", f"setp.lt.u32 %p1, %r4, {passes};", "@%p1 bra AGAIN;", "LEAVE:",
             *body.after, f"and.b32 %r8, %r3, {RESULTS - 1};", "mul.wide.u32 %rd6, %r8, 4;", "add.u64 %rd6, %rd2, %rd6;", "st.global.f32 [%rd6+4096], %f1;",
             "ret;"]
    for special in ("ctaid", "tid"):  # operands of arithmetic are registers
        number = {"ctaid": 30, "tid": 31}[special]
        lines = [line if line.startswith("mov.u32") else line.replace(f"%{special}.x", f"%r{number}") for line in lines]
    lines = ["mov.u32 %r30, %ctaid.x;", "mov.u32 %r31, %tid.x;", *lines]
    text = "\n".join(line if line.endswith(":") else "  " + line for line in lines)
    return (".version 6.0\n.target sm_30\n.address_size 64\n.shared .align 4 .b8 tile[4352];\n.visible .entry drawn(.param .u64 in, .param .u64 out)\n{\n"
            "  .reg .pred %p<8>; .reg .b32 %r<40>; .reg .f32 %f<8>; .reg .b64 %rd<8>;\n" + text + "\n}\n")


def draw(seed: int, count: int, folder: pathlib.Path) -> list[Drawn]:
    """Writes `count` launches below `folder` and returns them."""
    drawn = []
    for number in range(count):
        rng = random.Random(f"{seed} {number}")
        family = FAMILIES[number % len(FAMILIES)]
        gpu, (most_ctas, most_warps) = rng.choice(sorted(PRESETS.items()))
        sms = rng.choice((1, 4))
        block = rng.choice((64, 96, 128, 192, 256))
        warps = block // 32
        low, high = WAVES[(number + number // len(FAMILIES)) % len(WAVES)]
        waves = rng.uniform(low, high)
        ctas = max(1, round(waves * sms * min(most_ctas, most_warps // warps)))
        body = Body(rng, block, ctas)
        family(body)
        instructions = INSTRUCTIONS[0] * (INSTRUCTIONS[1] / INSTRUCTIONS[0]) ** rng.random()
        passes = max(1, round(instructions / (ctas * warps * (len(body.loop) + 3))))
        name = f"{number:03d}-{family.__name__}"
        place = folder / name
        place.mkdir(parents=True, exist_ok=True)
        (place / "kernel.ptx").write_text(ptx_of(body, passes))
        (place / "launch.json").write_text(json.dumps({
            "description": f"drawn: {family.__name__}", "ptx": "kernel.ptx",
            "buffers": {"in": {"type": "u32", "count": WORDS, "init": {"kind": "uniform", "low": 0, "high": 1 << 20, "seed": number + 1}},
                        "out": {"type": "u32", "count": RESULTS + 1024, "init": {"kind": "zeros"}}},
            "steps": [{"kernel": "drawn", "grid": [ctas], "block": [block], "args": [{"buffer": "in"}, {"buffer": "out"}]}],
            "outputs": [{"buffer": "out"}]}, indent=1))
        drawn.append(Drawn(name, family.__name__, gpu, sms, waves, place / "launch.json"))
    return drawn
