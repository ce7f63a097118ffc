"""A real broker, bridge and browser for a test, each with its own; everything ends with the test."""

import json
import os
import pathlib
import socket
import subprocess
import tempfile
import time
import urllib.request

root = pathlib.Path(__file__).resolve().parents[2]
programs = root / os.environ.get("PROGRAMS", ".build/debug")
pictures = root / ".build" / "browser-tests"
chromium = "/usr/bin/chromium"

rules = """
displayRules:
  - name: main
    set:
      icon: marker
      label: [get, name]
      iconColor: [step, [get, charge], red, 30, yellow, 60, green]
      iconRotation: [get, heading]
      calloutTitle: [concat, "Robot ", [get, name]]
      calloutDetail: [get, note]
  - name: robots
    match: {type: robot-vacuum}
    set: {icon: robot-vacuum}
  - name: nobody knows where it is
    when: ["!=", [get, status], live]
    set: {iconOpacity: 0.6}
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait(condition, what, seconds=60):
    """Until something outside of the page is so."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"still not: {what}")
        time.sleep(0.02)


def answers(port):
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    except OSError:
        return False


class Stand:
    """
    Broker and bridge. `configuration` is what stands in the bridge's file beside broker and http, `http` what stands there
    beside the address.
    """

    def __init__(self, configuration=rules, http=""):
        self._folder = tempfile.TemporaryDirectory()
        self._processes = []
        folder = pathlib.Path(self._folder.name)
        self.mqtt, self.http = free_port(), free_port()
        (folder / "mosquitto.conf").write_text(
            f"listener {self.mqtt} 127.0.0.1\nallow_anonymous true\nset_tcp_nodelay true\nmax_queued_messages 100000\n")
        self._file = folder / "fleet-bridge.yaml"
        self._file.write_text(
            f'broker: {{url: "mqtt://127.0.0.1:{self.mqtt}"}}\nhttp: {{listen: "127.0.0.1:{self.http}"{http}}}\n{configuration}')
        self.url = f"http://127.0.0.1:{self.http}/"
        try:
            self._start("mosquitto", "-c", folder / "mosquitto.conf", name="broker")
            wait(lambda: answers(self.mqtt), "the broker listens")
            self.start_bridge()
        except BaseException:
            self.close()
            raise

    def start_bridge(self):
        self._bridge = self._start(programs / "fleet-bridge", "run", "--config", self._file, name="bridge")
        wait(self._is_ready, "the bridge is ready")

    def kill_bridge(self):
        self._bridge.kill()
        self._bridge.wait()

    def _is_ready(self):
        if self._bridge.poll() is not None:
            raise AssertionError(f"the bridge has ended: {(pathlib.Path(self._folder.name) / 'bridge.log').read_text()}")
        try:
            return urllib.request.urlopen(f"{self.url}readyz", timeout=5).status == 200
        except OSError:
            return False

    def simulate(self, *arguments):
        return self._start(
            programs / "fleet-sim", "run", "--broker", f"mqtt://127.0.0.1:{self.mqtt}", *map(str, arguments), name="simulator")

    def _start(self, *command, name):
        log = open(pathlib.Path(self._folder.name) / f"{name}.log", "ab")
        process = subprocess.Popen([str(part) for part in command], stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        log.close()
        self._processes.append(process)
        return process

    def report(self, device, lat=57.0582, lon=9.9504, source="robots", **more):
        payload = {"lat": lat, "lon": lon, "type": "robot-vacuum", **more}
        self.publish(f"fleet/{source}/{device}/telemetry", json.dumps(payload))

    def publish(self, topic, payload, *more):
        subprocess.run(
            ["mosquitto_pub", "-h", "127.0.0.1", "-p", str(self.mqtt), "-q", "1", "-t", topic, "-m", payload, *more], check=True)

    def close(self):
        for process in reversed(self._processes):
            if process.poll() is None:
                process.terminate()
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
        self._folder.cleanup()
