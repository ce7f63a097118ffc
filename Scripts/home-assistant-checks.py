"""Looks at a real Home Assistant while devices come, move, fail and go, with a broker and the bridge beside it.

Usage: home-assistant-checks.py FLEET_BRIDGE, with the Python of a virtual environment that has Home Assistant.
"""

import json
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

import paho.mqtt.client as mqtt

BRIDGE = str(pathlib.Path(sys.argv[1]).resolve())
FOLDER = tempfile.TemporaryDirectory(prefix="home-assistant-test-")
WORK = pathlib.Path(FOLDER.name)
USER, PASSWORD = "admin", "of-no-importance"

CONFIGURATION = """
homeAssistant: {discoveryPrefix: homeassistant, discovery: entity}
sources:
  vacuums:
    topics: ["fleet/vacuums/{device}/telemetry", "fleet/vacuums/{device}/connection"]
    type: robot-vacuum
    hold: off
  tags: {topics: ["fleet/tags/{device}/telemetry"], staleAfter: 5s}
"""


class Failure(Exception):
    pass


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
            print(f"home-assistant-test: {what}", flush=True)
            return seen
        if time.monotonic() > end:
            raise Failure(f"not within {seconds} s: {what}")
        time.sleep(0.1)


class Processes:
    def __init__(self):
        self.running = []

    def start(self, name, *arguments):
        log = open(WORK / f"{name}.log", "ab")
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


class HomeAssistant:
    """Its process and its HTTP interface."""

    def __init__(self, processes, broker_port):
        self.processes, self.broker_port, self.port = processes, broker_port, free_port()
        self.folder = WORK / "home-assistant"
        self.folder.mkdir()
        (self.folder / "configuration.yaml").write_text(
            "homeassistant: {name: Test, latitude: 57.0, longitude: 9.9, elevation: 0, unit_system: metric,"
            " time_zone: UTC}\n"
            f"http: {{server_host: 127.0.0.1, server_port: {self.port}}}\n"
            "api:\nconfig:\nmqtt:\nlogger: {default: warning}\n"
        )
        program = pathlib.Path(sys.executable).parent / "hass"
        self.command = [sys.executable, str(program), "-c", str(self.folder)]
        subprocess.run(
            [sys.executable, str(program), "--script", "auth", "-c", str(self.folder), "add", USER, PASSWORD],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        self.token = None
        self.start()
        self.log_in()
        self.use_broker()

    def start(self):
        self.process = self.processes.start("home-assistant", *self.command)
        # The first time, it installs packages.
        until("Home Assistant answers", self.is_answering, 400)

    def restart(self):
        self.processes.end(self.process)
        self.start()

    def is_answering(self):
        if self.process.poll() is not None:
            raise Failure("Home Assistant has ended")
        try:
            self.request("/manifest.json")
            return True
        except OSError:
            return False

    def request(self, path, body=None, form=None):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}")
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        if form is not None:
            request.data = urllib.parse.urlencode(form).encode()
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)

    def log_in(self):
        client = f"http://127.0.0.1:{self.port}/"
        flow = self.request(
            "/auth/login_flow", {"client_id": client, "handler": ["homeassistant", None], "redirect_uri": client}
        )
        code = self.request(
            f"/auth/login_flow/{flow['flow_id']}", {"client_id": client, "username": USER, "password": PASSWORD}
        )["result"]
        self.token = self.request(
            "/auth/token", form={"client_id": client, "grant_type": "authorization_code", "code": code}
        )["access_token"]

    def use_broker(self):
        def is_accepted():
            try:
                flow = self.request("/api/config/config_entries/flow", {"handler": "mqtt"})
                entry = self.request(
                    f"/api/config/config_entries/flow/{flow['flow_id']}",
                    {"broker": "127.0.0.1", "port": self.broker_port},
                )
                return entry["type"] == "create_entry"
            except urllib.error.HTTPError:
                return False

        until("Home Assistant uses the broker", is_accepted)

    def entity(self, entity_id):
        """The state of an entity; an empty one where there is none."""
        try:
            return self.request(f"/api/states/{entity_id}")
        except (urllib.error.HTTPError, ConnectionError):
            return {}

    def state(self, entity_id):
        return self.entity(entity_id).get("state")

    def attributes(self, entity_id):
        return self.entity(entity_id).get("attributes", {})

    def entities(self):
        """All that are made by discovery: nothing else here is of these kinds."""
        own = ("device_tracker.", "sensor.")
        ids = [entity["entity_id"] for entity in self.request("/api/states")]
        return sorted(id for id in ids if id.startswith(own) and not id.startswith("sensor.sun_"))

    def complaints(self):
        """What its log says of MQTT and of templates."""
        lines = (WORK / "home-assistant.log").read_text(errors="replace").splitlines()
        levels = (" WARNING ", " ERROR ")
        subjects = ("mqtt", "template", "sensor", "device_tracker")
        # It starts before the test's broker is known to it, and it is ended while connected.
        return [
            line for line in lines
            if any(level in line for level in levels) and any(subject in line for subject in subjects)
            and "mqtt.client" not in line
        ]


class Client:
    """A device, or whoever else is at the broker."""

    def __init__(self, port, will=None):
        self.client = mqtt.Client()
        self.retained = {}
        if will:
            self.client.will_set(*will, qos=1, retain=True)
        self.client.on_message = self.receive
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()

    def receive(self, _client, _context, message):
        if message.payload:
            self.retained[message.topic] = message.payload
        else:
            self.retained.pop(message.topic, None)

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
    def __init__(self, processes, port):
        self.processes, self.port = processes, port
        self.file = WORK / "bridge.yaml"
        self.start(CONFIGURATION)

    def start(self, configuration=None):
        if configuration:
            self.file.write_text(configuration)
        self.process = self.processes.start(
            "bridge", BRIDGE, "run", "--config", str(self.file), "--broker", f"mqtt://127.0.0.1:{self.port}"
        )

    def reload(self, configuration):
        self.file.write_text(configuration)
        self.process.send_signal(signal.SIGHUP)

    def end(self, how=signal.SIGTERM):
        self.processes.end(self.process, how)


def check_schemas(messages):
    """Holds discovery messages against Home Assistant's own schemas, which refuse what they do not know."""
    from homeassistant.components.mqtt import device_tracker, sensor

    schemas = {"device_tracker": device_tracker.PLATFORM_SCHEMA_MODERN, "sensor": sensor.PLATFORM_SCHEMA_MODERN}
    for topic, payload in messages.items():
        document = json.loads(payload)
        # What a text may be is known to later versions only; this one ignores it.
        for entity in [document, *document.get("components", {}).values()]:
            if entity.get("device_class") == "enum":
                assert entity.pop("options") == ["live", "stale", "lost", "offline"], entity
        component = topic.split("/")[1]
        if component != "device":
            schemas[component](document)
            continue
        shared = {key: document[key] for key in document if key != "components"}
        for entity in document["components"].values():
            schemas[entity.pop("platform")](shared | entity)


def run(processes):
    port = free_port()
    (WORK / "mosquitto.conf").write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\n")
    processes.start("mosquitto", "mosquitto", "-c", str(WORK / "mosquitto.conf"))

    def broker_answers():
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return True
        except OSError:
            return False

    until("the broker answers", broker_answers)
    home = HomeAssistant(processes, port)
    bridge = Bridge(processes, port)
    watcher = Client(port)
    watcher.watch("homeassistant/#")
    watcher.watch("fleet-bridge/status")

    def bridge_is_online():
        return json.loads(watcher.retained.get("fleet-bridge/status", "{}")).get("state") == "online"

    until("the bridge is online", bridge_is_online)

    tracker, battery, status = "device_tracker.rosie", "sensor.rosie_battery", "sensor.rosie_status"
    telemetry = "fleet/vacuums/v1/telemetry"

    def states(*expected):
        return lambda: tuple(home.state(entity) for entity in (tracker, battery, status)) == expected

    def device_is_online():
        client = Client(port, ("fleet/vacuums/v1/connection", "offline"))
        client.publish("fleet/vacuums/v1/connection", "online", retain=True)
        return client

    def is_at(latitude, longitude, accuracy):
        attributes = home.attributes(tracker)
        keys = ("latitude", "longitude", "gps_accuracy")
        return tuple(attributes.get(key) for key in keys) == (latitude, longitude, accuracy)

    # Appear, move, change.
    device = device_is_online()
    first = {"lat": 57.05, "lon": 9.95, "accuracy": 2.5, "floor": 10, "charge": 72, "name": "Rosie"}
    device.publish(telemetry, first)
    until("the entities of a device appear", states("not_home", "72", "live"))
    until("the tracker has the position and its accuracy", lambda: is_at(57.05, 9.95, 2.5))
    attributes = home.attributes(battery)
    assert (attributes["device_class"], attributes["unit_of_measurement"]) == ("battery", "%"), attributes
    assert home.attributes(status)["device_class"] == "enum", home.attributes(status)
    assert home.attributes(tracker)["floor"] == 10 and home.attributes(tracker)["source_type"] == "gps"
    device.publish(telemetry, {"lat": 57.0, "lon": 9.9, "charge": 71.5})
    until("the tracker moves into the zone of home", lambda: home.state(tracker) == "home" and is_at(57.0, 9.9, 2.5))
    until("the battery goes down", lambda: home.state(battery) == "71.5")
    device.publish(telemetry, {"position": None, "charge": None})
    until("a lost position and an unknown charge are unknown", states("unknown", "unknown", "lost"))
    assert "latitude" not in home.attributes(tracker), home.attributes(tracker)
    device.publish(telemetry, first)
    until("they are known again", states("not_home", "72", "live"))

    # Ids and names.
    other = Client(port)
    for id in ("a/b", "a_2Fb", "<img src=x>", "日本"):
        other.publish(f"fleet/tags/{id.replace('/', '%2F')}/telemetry", {"lat": 57, "lon": 9.9, "name": f"Tag {id}"})
    other.publish("fleet/tags/v1/telemetry", {"lat": 57, "lon": 9.9, "charge": 5, "name": "Tag"})
    until("devices with special ids have entities of their own", lambda: len(home.entities()) == 6 * 3)
    device.publish(telemetry, first | {"name": "Rosie the robot"})
    until(
        "another name changes the name and no id",
        lambda: home.attributes(tracker).get("friendly_name") == "Rosie the robot" and len(home.entities()) == 6 * 3,
    )
    check_schemas({topic: text for topic, text in watcher.retained.items() if topic.endswith("/config")})
    print("home-assistant-test: the messages are what Home Assistant's schemas say", flush=True)

    # Availability.
    until(
        "a silent device is unavailable, and stale",
        lambda: home.state("device_tracker.tag") == "unavailable" and home.state("sensor.tag_status") == "stale",
    )
    device.cut()
    until("a device that fails is unavailable, and offline", states("unavailable", "unavailable", "offline"))
    device = device_is_online()
    device.publish(telemetry, first)
    until("it is back", states("not_home", "72", "live"))
    bridge.end(signal.SIGKILL)
    until("all is unavailable without the bridge", states("unavailable", "unavailable", "unavailable"))
    bridge.start()
    device.publish(telemetry, first)
    until("it is back with the bridge", states("not_home", "72", "live"))
    bridge.end()
    until("all is unavailable after a good end of the bridge", states("unavailable", "unavailable", "unavailable"))
    bridge.start()
    until("it is back with the bridge again", lambda: home.state(status) == "live")

    # Home Assistant itself.
    home.restart()
    until("Home Assistant has started again and knows all entities", lambda: len(home.entities()) == 6 * 3)
    until("it knows their states, too", lambda: home.state(status) == "live" and is_at(57.05, 9.95, 2.5))
    forgotten = [topic for topic in watcher.retained if topic.endswith("/config")]
    for topic in forgotten:
        other.publish(topic, "", retain=True)
    until("entities that somebody cleared are gone", lambda: not home.entities())
    home.restart()
    until("the birth of Home Assistant brings them back", lambda: len(home.entities()) == 6 * 3, 60)

    # Withdrawal.
    device.publish(telemetry, "")
    until("the entities of a removed device are gone", lambda: len(home.entities()) == 5 * 3)
    assert states(None, None, None)(), home.entities()
    device.publish(telemetry, first)
    until("and come with it", lambda: len(home.entities()) == 6 * 3)
    lines = CONFIGURATION.strip().splitlines()
    bridge.reload("\n".join(lines[:-1]) + "\n")
    until("the entities of a removed source are gone", lambda: len(home.entities()) == 3)
    bridge.reload("\n".join(lines[1:]) + "\n")
    until("without the setting all are gone", lambda: not home.entities())
    bridge.reload(CONFIGURATION)
    until("with it they are back", lambda: len(home.entities()) >= 3)
    bridge.end()
    bridge.start("\n".join(lines[1:]) + "\n")
    until("a bridge that is started without the setting withdraws them", lambda: not home.entities())

    # This version ignores the messages of whole devices; their content is held against its schemas.
    bridge.reload(CONFIGURATION.replace("discovery: entity", "discovery: device"))

    def device_messages():
        return {topic: text for topic, text in watcher.retained.items() if topic.startswith("homeassistant/device/")}

    until("the messages of whole devices are published", device_messages)
    check_schemas(device_messages())
    complaints = [line for line in home.complaints() if "Integration device is not supported" not in line]
    if complaints:
        raise Failure("Home Assistant complains:\n" + "\n".join(complaints))
    for client in (device, other, watcher):
        client.close()


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    processes = Processes()
    try:
        run(processes)
        print("home-assistant-test: done")
    except (Failure, AssertionError) as failure:
        for name in ("bridge", "home-assistant"):
            log = WORK / f"{name}.log"
            if log.exists():
                lines = log.read_text(errors="replace").splitlines()[-25:]
                print(f"--- {name}", *lines, sep="\n", file=sys.stderr)
        sys.exit(f"home-assistant-test: {failure!r}" if isinstance(failure, AssertionError) else
                 f"home-assistant-test: {failure}")
    finally:
        processes.end_all()
        FOLDER.cleanup()


main()
