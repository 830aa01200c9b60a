#!/usr/bin/env python3
"""The client's draw with numpy itself, to time `scorer workload` against and to check it.

    numpy_workload.py time  [--isl N --osl N --conc N --draws N]   seconds of the fastest draw
    numpy_workload.py check --scorer PATH [--cases N --seed N]     random parameters, byte for byte

Needs numpy (any version: its legacy generator is frozen).
"""

import argparse
import random
import subprocess
import sys
import time

try:
    import numpy
except ImportError:
    sys.exit("numpy is missing: create a virtual environment and run `pip install numpy` in it")


def draw(isl, osl, ratio, num_prompts, template_k=0):
    """Input and output lengths: the client's two calls, on a generator seeded as it does."""
    generator = numpy.random.RandomState(0)
    target = isl - template_k
    inputs = generator.randint(int(target * ratio), target + 1, size=num_prompts)
    outputs = generator.randint(int(osl * ratio), osl + 1, size=num_prompts)
    return inputs + template_k, outputs


def fastest_time(arguments):
    times = []
    for _ in range(arguments.draws):
        start = time.perf_counter()
        draw(arguments.isl, arguments.osl, 0.8, 10 * arguments.conc)
        times.append(time.perf_counter() - start)
    print(min(times))


def random_parameters(generator):
    """Ordinary points, odd lengths, the edges of the ratio, templates, long and short lists."""
    isl = generator.choice([1024, 8192, generator.randint(1, 200_000), generator.randint(1, 2**32 - 1)])
    osl = generator.choice([1024, 256, 1, generator.randint(1, 20_000), 2**32 - 1])
    ratio = generator.choice([0.8, 1.0, 0.0, generator.random(), 1 - 2**-53, 5e-324])
    conc = generator.randint(1, 300)
    num_prompts = generator.choice([None, 1, generator.randint(1, 5_000)])
    template_k = generator.choice([0, generator.randint(0, min(isl - 1, 40))])
    return isl, osl, ratio, conc, num_prompts, template_k


def check(arguments):
    generator = random.Random(arguments.seed)
    for _ in range(arguments.cases):
        isl, osl, ratio, conc, num_prompts, template_k = random_parameters(generator)
        command = [arguments.scorer, "workload", f"--isl={isl}", f"--osl={osl}", f"--conc={conc}",
                   f"--ratio={ratio!r}", f"--template-k={template_k}"]
        if num_prompts is not None:
            command.append(f"--num-prompts={num_prompts}")
        printed = subprocess.run(command, check=True, capture_output=True).stdout
        inputs, outputs = draw(isl, osl, ratio, num_prompts or 10 * conc, template_k)
        rows = "".join(f"{i},{o}\n" for i, o in zip(inputs.tolist(), outputs.tolist()))
        if printed != ("input_tokens,output_tokens\n" + rows).encode():
            sys.exit(f"differs from numpy {numpy.__version__}: {' '.join(command)}")
    print(f"{arguments.cases} random parameter sets, equal to numpy {numpy.__version__}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    timing = commands.add_parser("time", help="seconds of the fastest draw")
    timing.add_argument("--isl", type=int, default=1024)
    timing.add_argument("--osl", type=int, default=1024)
    timing.add_argument("--conc", type=int, default=8192)
    timing.add_argument("--draws", type=int, default=50)
    timing.set_defaults(run=fastest_time)
    checking = commands.add_parser("check", help="random parameters, byte for byte")
    checking.add_argument("--scorer", required=True, help="path of the built command")
    checking.add_argument("--cases", type=int, default=300)
    checking.add_argument("--seed", type=int, default=1)
    checking.set_defaults(run=check)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
