"""What stands around Home Assistant in its tests: a broker, the bridge, devices, and somebody who waits."""

import json
import signal
import socket
import subprocess
import time

import paho.mqtt.client as mqtt


class Failure(Exception):
    pass


def say(text):
    print(f"home-assistant-test: {text}", flush=True)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def until(what, condition, seconds=30):
    """Looks again until a condition holds, and returns what it came to."""
    end = time.monotonic() + seconds
    while True:
        seen = condition()
        if seen:
            say(what)
            return seen
        if time.monotonic() > end:
            raise Failure(f"not within {seconds} s: {what}")
        time.sleep(0.1)


class Processes:
    """All that were started, each with a log in a folder."""

    def __init__(self, folder):
        self.folder, self.running = folder, []

    def start(self, name, *arguments):
        with open(self.folder / f"{name}.log", "ab") as log:
            process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.running.append(process)
        return process

    def end(self, process, how=signal.SIGTERM):
        process.send_signal(how)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self.running.remove(process)

    def end_all(self):
        for process in reversed(self.running.copy()):
            self.end(process)


def start_broker(processes):
    """Returns its port."""
    port, file = free_port(), processes.folder / "mosquitto.conf"
    # The limits let a whole fleet through at once.
    file.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 100000\n")
    processes.start("mosquitto", "mosquitto", "-c", str(file))

    def answers():
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return True
        except OSError:
            return False

    until("the broker answers", answers)
    return port


class Client:
    """A device, or whoever else is at the broker."""

    def __init__(self, port, will=None):
        versions = getattr(mqtt, "CallbackAPIVersion", None)
        self.client = mqtt.Client(versions.VERSION2) if versions else mqtt.Client()
        self.retained, self.history = {}, []
        if will:
            self.client.will_set(*will, qos=1, retain=True)
        self.client.on_message = self.receive
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()

    def receive(self, _client, _context, message):
        self.history.append((message.topic, message.payload))
        if message.payload:
            self.retained[message.topic] = message.payload
        else:
            self.retained.pop(message.topic, None)

    def below(self, prefix):
        """What stands on topics that begin so."""
        return {topic: payload for topic, payload in self.retained.copy().items() if topic.startswith(prefix)}

    def watch(self, topic_filter):
        self.client.subscribe(topic_filter, qos=1)

    def publish(self, topic, payload, retain=False):
        text = payload if isinstance(payload, str) else json.dumps(payload)
        self.client.publish(topic, text, qos=1, retain=retain).wait_for_publish(10)

    def cut(self):
        """Ends the connection so that the broker sends the will."""
        self.client._sock.shutdown(socket.SHUT_RDWR)
        self.client.loop_stop()

    def close(self):
        self.client.disconnect()
        self.client.loop_stop()


class Bridge:
    def __init__(self, processes, program, port, configuration):
        self.processes, self.program, self.port = processes, program, port
        self.file = processes.folder / "bridge.yaml"
        self.start(configuration)

    def start(self, configuration=None):
        if configuration:
            self.file.write_text(configuration)
        self.process = self.processes.start(
            "bridge", self.program, "run", "--config", str(self.file), "--broker", f"mqtt://127.0.0.1:{self.port}"
        )

    def reload(self, configuration):
        self.file.write_text(configuration)
        self.process.send_signal(signal.SIGHUP)

    def end(self, how=signal.SIGTERM):
        self.processes.end(self.process, how)
