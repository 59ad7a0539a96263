"""Who is measured: ours and the peers, natively and in the page. All take the same arguments and print the same line."""
import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
PEERS = REPOSITORY / "bench" / "peers"
PYTHON = os.environ.get("PYTHON", "/usr/bin/python3")  # the one that Debian's packages are for
LEFT_OUT = 3
MOST_SECONDS = 900


@dataclass(frozen=True)
class Contestant:
    name: str
    place: str  # native or page: compared with each other are those of one place
    command: tuple
    is_ours: bool = False
    is_goal: bool = True  # whether it counts as a peer to be faster than; else it stands in the table only


@dataclass(frozen=True)
class Outcome:
    line: dict = None
    left_out: str = None  # why there is no line
    error: str = None


def contestants(options):
    """`options`: program (ours) and build (the folder that attention_bench was built in)."""
    libraries = options.build / "bench" / "cpp_libraries"
    pytorch = (PYTHON, PEERS / "pytorch.py", "--variant")
    return [
        Contestant("ours", "native", (options.program, "bench", "--json"), is_ours=True),
        Contestant("pytorch-notebook", "native", (*pytorch, "notebook"), is_goal=False),
        Contestant("pytorch-tuned", "native", (*pytorch, "tuned")),
        Contestant("pytorch-tuned-avx512", "native", (*pytorch, "tuned-avx512")),
        Contestant("onnxruntime", "native", ("node", PEERS / "onnxruntime_node.mjs")),
        Contestant("onednn", "native", (libraries, "onednn")),
        Contestant("openblas", "native", (libraries, "openblas")),
        Contestant("ours-in-page", "page", ("node", REPOSITORY / "bench" / "ours_in_page.mjs"), is_ours=True),
        Contestant("onnxruntime-web", "page", ("node", PEERS / "onnxruntime_web.mjs")),
    ]


def last_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip() if lines else "it said nothing"


def measure(contestant, *, size, threads, repeats):
    arguments = ["--case", size, "--threads", str(threads), "--repeats", str(repeats)]
    command = [str(part) for part in contestant.command] + arguments
    try:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=MOST_SECONDS, check=False)
    except FileNotFoundError:
        return Outcome(left_out=f"there is no {command[0]}")
    except subprocess.TimeoutExpired:
        return Outcome(error=f"it took longer than {MOST_SECONDS} s")
    if ended.returncode == LEFT_OUT:
        return Outcome(left_out=last_line(ended.stderr))
    if ended.returncode != 0:
        return Outcome(error=f"status {ended.returncode}: {last_line(ended.stderr)}")
    return Outcome(line=json.loads(last_line(ended.stdout)))
