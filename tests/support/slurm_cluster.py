"""A real SLURM of two nodes on this host, for tests.

The cluster runs without systemd, accounting, cgroups or a permanent configuration. It needs Debian's packages slurm-wlm
and munge, and the user root.
"""

import contextlib
import importlib.util
import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

import psutil
from waiting import soon

# Snakemake's executor unsets SLURM_CONF, so the clients must find the configuration at its default place.
CONFIGURATION = Path("/etc/slurm/slurm.conf")
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "sinfo", "squeue", "scontrol")
NODES = {"n1": "Feature=epyc", "n2": "Gres=gpu:h100:1"}
MARK = "ACCELBENCH_TEST_DAEMON"
LIMIT_S = 60


def obstacle():
    """Return why no SLURM can be started here, or None."""
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if missing:
        return f"SLURM is not installed ({', '.join(missing)}): make test-slurm"
    if importlib.util.find_spec("snakemake_executor_plugin_slurm") is None:
        return "snakemake-executor-plugin-slurm is not installed: make install LOCK=slurm"
    if os.geteuid() != 0:
        return "only root can start SLURM's daemons"
    if CONFIGURATION.exists() or not os.access(CONFIGURATION.parent, os.W_OK):
        return f"{CONFIGURATION} is another cluster's, or cannot be written"
    return None


class Cluster:
    """Context manager of a cluster of two nodes: n1 in the partition `cpu`, n2 in the partition `gpu`."""

    def __enter__(self):
        # munged requires a folder that every user may enter; pytest's folders are private.
        self.folder = Path(tempfile.mkdtemp(prefix="accelbench-slurm-"))
        self.folder.chmod(0o755)
        self.daemons = {}
        try:
            self._configure()
            files = ("socket", "key-file", "pid-file", "seed-file")
            self._start("munged", "--foreground", *(f"--{name}={self.folder / name}" for name in files))
            wait_until((self.folder / "socket").exists, "munged's socket")
            self._start("slurmctld", "-D", "-c", "-f", self.folder / "slurm.conf")
            for node in NODES:
                self.start_node(node)
            wait_until(lambda: self.states() == dict.fromkeys(NODES, "idle"), "both nodes to be idle")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for node in NODES:
            self.kill_node(node)
        for daemon in reversed(self.daemons.values()):
            daemon.terminate()
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        if CONFIGURATION.is_symlink() and os.readlink(CONFIGURATION) == str(self.folder / "slurm.conf"):
            CONFIGURATION.unlink()
        shutil.rmtree(self.folder)

    def start_node(self, node):
        self._start(node, "-D", "-N", node, "-f", self.folder / "slurm.conf", program="slurmd")

    def kill_node(self, node):
        """Kill a node's daemon and all processes of its jobs at the same time, as a power failure does."""
        self.daemons.pop(node, None)
        doomed = []
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error):
                if process.environ().get(MARK) == self._mark(node):  # slurmd, or its process that supervises a job
                    doomed += [process, *process.children(recursive=True)]
        for process in doomed:
            with contextlib.suppress(psutil.Error):
                process.kill()
        psutil.wait_procs(doomed, timeout=10)
        # Without this command, SLURM would notice the loss only some time after SlurmdTimeout.
        run("scontrol", "update", f"nodename={node}", "state=down", "reason=lost")

    def jobs(self):
        """Return {number: {key: value}} of every job so far, from `scontrol show job`."""
        lines = run("scontrol", "show", "job", "--oneliner").splitlines()
        found = [dict(word.split("=", 1) for word in line.split() if "=" in word) for line in lines]
        return {job["JobId"]: job for job in found if "JobId" in job}

    def states(self):
        """Return {node: state}."""
        return dict(line.split() for line in run("sinfo", "--Node", "--noheader", "--format=%N %T").splitlines())

    def _configure(self):
        # Remove a dangling link that a killed test has left behind.
        CONFIGURATION.unlink(missing_ok=True)
        CONFIGURATION.symlink_to(self.folder / "slurm.conf")
        (self.folder / "key-file").write_bytes(os.urandom(128))
        (self.folder / "key-file").chmod(0o600)
        host = socket.gethostname().partition(".")[0]
        ports = free_ports(1 + len(NODES))
        nodes = [
            f"NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=2 RealMemory=100000 {features}"
            for (node, features), port in zip(NODES.items(), ports[1:], strict=True)
        ]
        text = (Path(__file__).parent / "slurm.conf").read_text()
        text = text.replace("FOLDER", str(self.folder)).replace("HOST", host).replace("PORT", str(ports[0]))
        (self.folder / "slurm.conf").write_text("\n".join([text, *nodes]) + "\n")
        (self.folder / "gres.conf").write_text("NodeName=n2 Name=gpu Type=h100 File=/dev/null\n")
        for name in ("state", *(f"spool.{node}" for node in NODES)):
            (self.folder / name).mkdir()

    def _start(self, name, *arguments, program=None):
        with (self.folder / f"{name}.log").open("a") as log:
            self.daemons[name] = subprocess.Popen(
                [program or name, *map(str, arguments)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, MARK: self._mark(name)},
                start_new_session=True,
            )

    def _mark(self, name):
        return str(self.folder / name)


def run(*command):
    """Return the standard output of a command. The command may fail, since SLURM may be starting or stopping."""
    return subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S).stdout


def wait_until(true, what, limit_s=LIMIT_S):
    """Wait until `true()` holds; raise TimeoutError with `what` if it does not hold in time."""
    if not soon(true, limit_s):
        raise TimeoutError(f"waited {limit_s} s for {what}")


def free_ports(count):
    """Return numbers of unused TCP ports."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
