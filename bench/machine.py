"""What a figure was measured on: the processor, the system, and what the machine can do at most in the same minutes."""
import json
import os
import platform
import subprocess

INSTRUCTIONS = ("sse4_2", "avx2", "fma", "avx512f", "avx512_bf16", "amx_tile", "asimd", "sve")


def first_line_of(*command):
    try:
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return "unknown"
    return ended.stdout.splitlines()[0] if ended.returncode == 0 and ended.stdout else "unknown"


def processor():
    """Of the first core, as Linux tells it."""
    facts = {}
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            name, _, value = line.partition(":")
            facts.setdefault(name.strip(), value.strip())
    flags = (facts.get("flags") or facts.get("Features") or "").split()
    return {
        "processor": f"{facts.get('model name', platform.machine())} (model {facts.get('model', '?')})",
        "cores": os.cpu_count(),
        "instructions": " ".join(name for name in INSTRUCTIONS if name in flags),
        "cache": facts.get("cache size", "unknown"),
    }


def load():
    """How many programs were running over the last minute. Above 0.3, figures are worth little."""
    return round(os.getloadavg()[0], 2)


def description(repository):
    return {
        **processor(),
        "system": f"{platform.system()} {platform.release()}",
        "compiler": first_line_of("c++", "--version"),
        "commit": first_line_of("git", "-C", str(repository), "describe", "--always", "--dirty"),
        "load_before": load(),
    }


def lines_of(command):
    """JSON lines of a probe, or none where it cannot run."""
    try:
        ended = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return []
    return [json.loads(line) for line in ended.stdout.splitlines()] if ended.returncode == 0 else []


def limits(build, threads):
    return lines_of((build / "bench" / "machine_limit", "--threads", threads, "--rounds", 3))


def page_limits(repository, threads):
    return lines_of(("node", repository / "bench" / "page_limit.mjs", "--threads", threads))
