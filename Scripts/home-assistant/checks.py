"""Looks at a real Home Assistant while devices come, move, fail and go, with a broker and the bridge beside it.

Usage: checks.py FLEET_BRIDGE, with the Python of a virtual environment that has Home Assistant.
"""

import json
import pathlib
import signal
import sys
import tempfile

from homeassistant.const import __version__ as version

import migration
import schemas
from home import HomeAssistant
from stage import Bridge, Client, Failure, Processes, say, start_broker, until

TRACKER, BATTERY, STATUS = "device_tracker.rosie", "sensor.rosie_battery", "sensor.rosie_status"
TELEMETRY, CONNECTION = "fleet/vacuums/v1/telemetry", "fleet/vacuums/v1/connection"
FIRST = {"lat": 57.05, "lon": 9.95, "accuracy": 2.5, "floor": 10, "charge": 72, "name": "Rosie"}
# Ids of devices, and names: whatever comes, it becomes three entities.
TAGS = {
    "a/b": "Tag a/b", "a_2Fb": "Tag a_2Fb", "<img src=x>": "<img src=x>", "日本": "日本", "\u0085\ufffe": "\u0007 bell",
    "{{1/0}}": "{{ 1 / 0 }}", "long": "long " * 60, "v1": "Tag",
}
ALL = 3 * (1 + len(TAGS))


def configuration(discovery, tags=True):
    """
    - discovery: `None`: Home Assistant is told nothing.
    - tags: Whether the second source is there.
    """
    lines = [f"homeAssistant: {{discovery: {discovery}}}"] if discovery else []
    lines += [
        "sources:", "  vacuums:", f'    topics: ["{TELEMETRY.replace("v1", "{device}")}",'
        f' "{CONNECTION.replace("v1", "{device}")}"]', "    type: robot-vacuum", "    hold: off",
    ]
    if tags:
        lines.append('  tags: {topics: ["fleet/tags/{device}/telemetry"], staleAfter: 5s}')
    return "\n".join(lines) + "\n"


class Scene:
    """Everything that has a part in it, and what is looked at."""

    def __init__(self, processes, program, discovery):
        self.port = start_broker(processes)
        self.home = HomeAssistant(processes, self.port)
        self.discovery, self.configuration = discovery, configuration
        self.bridge = Bridge(processes, program, self.port, configuration(discovery))
        self.watcher, self.other = Client(self.port), Client(self.port)
        self.watcher.watch("homeassistant/#")
        self.watcher.watch("fleet-bridge/#")
        until("the bridge is online", self.bridge_is_online)

    def bridge_is_online(self):
        return json.loads(self.watcher.retained.get("fleet-bridge/status", "{}")).get("state") == "online"

    def states(self, *expected):
        return lambda: tuple(self.home.state(entity) for entity in (TRACKER, BATTERY, STATUS)) == expected

    def knows(self, count):
        return lambda: len(self.home.entities()) == count

    def is_at(self, latitude, longitude, accuracy):
        attributes = self.home.attributes(TRACKER)
        keys = ("latitude", "longitude", "gps_accuracy")
        return tuple(attributes.get(key) for key in keys) == (latitude, longitude, accuracy)

    def announced(self):
        """What stands on discovery topics."""
        return {topic: text for topic, text in self.watcher.below("homeassistant/").items() if topic.endswith("/config")}

    def device_is_online(self):
        self.device = Client(self.port, (CONNECTION, "offline"))
        self.device.publish(CONNECTION, "online", retain=True)

    def report_first(self):
        self.device.publish(TELEMETRY, FIRST)

    def close(self):
        for client in (self.device, self.other, self.watcher):
            client.close()


def appear_and_move(scene):
    home = scene.home
    scene.device_is_online()
    scene.report_first()
    until("the entities of a device appear", scene.states("not_home", "72", "live"))
    until("the tracker has the position and its accuracy", lambda: scene.is_at(57.05, 9.95, 2.5))
    attributes = home.attributes(BATTERY)
    assert (attributes["device_class"], attributes["unit_of_measurement"]) == ("battery", "%"), attributes
    assert home.attributes(STATUS)["device_class"] == "enum", home.attributes(STATUS)
    assert home.attributes(TRACKER)["floor"] == 10 and home.attributes(TRACKER)["source_type"] == "gps"
    scene.device.publish(TELEMETRY, {"lat": 57.0, "lon": 9.9, "charge": 71.5})
    until(
        "the tracker moves into the zone of home",
        lambda: home.state(TRACKER) == "home" and scene.is_at(57.0, 9.9, 2.5),
    )
    until("the battery goes down", lambda: home.state(BATTERY) == "71.5")
    scene.device.publish(TELEMETRY, {"position": None, "charge": None})
    until("a lost position and an unknown charge are unknown", scene.states("unknown", "unknown", "lost"))
    assert "latitude" not in home.attributes(TRACKER), home.attributes(TRACKER)
    scene.report_first()
    until("they are known again", scene.states("not_home", "72", "live"))


def names_and_ids(scene):
    for id, name in TAGS.items():
        level = "".join(f"%{byte:02X}" for byte in id.encode())
        scene.other.publish(f"fleet/tags/{level}/telemetry", {"lat": 57, "lon": 9.9, "charge": 5, "name": name})
    until("devices with special ids and names have entities of their own", scene.knows(ALL))
    devices = scene.home.devices()
    assert len(devices) == len(TAGS) + 1 and devices["fleet-bridge__vacuums__v1"]["model"] == "robot-vacuum", devices
    scene.device.publish(TELEMETRY, FIRST | {"name": "Rosie the robot"})
    until(
        "another name changes the name and no id",
        lambda: scene.home.attributes(TRACKER).get("friendly_name") == "Rosie the robot" and scene.knows(ALL)(),
    )
    schemas.check(scene.announced())
    say("the messages are what Home Assistant's schemas say")


def availability(scene):
    home, gone = scene.home, scene.states(*["unavailable"] * 3)
    until(
        "a silent device is unavailable, and stale",
        lambda: home.state("device_tracker.tag") == "unavailable" and home.state("sensor.tag_status") == "stale",
    )
    scene.device.cut()
    until("a device that fails is unavailable, and offline", scene.states("unavailable", "unavailable", "offline"))
    scene.device_is_online()
    scene.report_first()
    until("it is back", scene.states("not_home", "72", "live"))
    scene.bridge.end(signal.SIGKILL)
    until("all is unavailable without the bridge", gone)
    scene.bridge.start()
    scene.report_first()
    until("it is back with the bridge", scene.states("not_home", "72", "live"))
    scene.bridge.end()
    until("all is unavailable after a good end of the bridge", gone)
    scene.bridge.start()
    until("it is back with the bridge again", lambda: home.state(STATUS) == "live")


def restarts(scene):
    home = scene.home
    home.restart()
    until("Home Assistant has started again and knows all entities", scene.knows(ALL))
    until("it knows their states, too", lambda: home.state(STATUS) == "live" and scene.is_at(57.05, 9.95, 2.5))
    for topic in scene.announced():
        scene.other.publish(topic, "", retain=True)
    until("entities that somebody cleared are gone", lambda: not home.entities())
    home.restart()
    until("the birth of Home Assistant brings them back", scene.knows(ALL), 60)


def withdrawal(scene):
    home, bridge = scene.home, scene.bridge
    scene.device.publish(TELEMETRY, "")
    until("the entities of a removed device are gone", scene.knows(ALL - 3))
    assert scene.states(None, None, None)(), home.entities()
    scene.report_first()
    until("and come with it", scene.knows(ALL))
    comes_again_at_once(scene)
    bridge.reload(configuration(scene.discovery, tags=False))
    until("the entities of a removed source are gone", scene.knows(3))
    bridge.reload(configuration(None))
    until("without the setting all are gone", lambda: not home.entities())
    until("and no device is left", lambda: not home.devices())
    bridge.reload(configuration(scene.discovery))
    until("with it they are back", lambda: len(home.entities()) >= 3)
    bridge.end()
    bridge.start(configuration(None))
    until("a bridge that is started without the setting withdraws them", lambda: not home.entities())
    assert not scene.announced(), scene.announced()


def comes_again_at_once(scene):
    """Home Assistant may still take down what is told anew."""
    since = len(scene.watcher.history)
    topics = {topic for topic in scene.announced() if "__vacuums__v1/" in topic}
    scene.device.publish(TELEMETRY, "")
    scene.report_first()

    def is_told_again():
        news = [bool(payload) for topic, payload in scene.watcher.history[since:] if topic in topics]
        return news == [False] * len(topics) + [True] * len(topics)

    until("a device that is removed and comes at once is withdrawn and told again", is_told_again)
    until("and has all its entities", lambda: scene.knows(ALL)() and scene.home.state(STATUS) == "live")


def many(scene, count=300):
    """What a fleet does at once."""
    scene.bridge.reload(configuration(scene.discovery, tags=False))
    until("the setting counts again", scene.knows(3))
    for index in range(count):
        scene.other.publish(f"fleet/vacuums/m{index}/telemetry", {"lat": 57, "lon": 9.9, "name": f"Many {index}"})
    until(f"{count} devices that come at once have all their entities", scene.knows(3 * (count + 1)), 90)
    for index in range(count):
        scene.other.publish(f"fleet/vacuums/m{index}/telemetry", "")
    until("and all are gone with them", scene.knows(3), 90)


def run(processes, program):
    # What this version understands; the other kind is looked at where both are.
    knows_devices = schemas.DEVICE is not None
    scene = Scene(processes, program, "device" if knows_devices else "entity")
    say(f"Home Assistant {version}, discovery: {scene.discovery}")
    for part in (appear_and_move, names_and_ids, availability, restarts, withdrawal, many):
        part(scene)
    expect_no_complaints(scene.home.complaints())
    if knows_devices:
        migration.run(scene)
        expect_no_complaints(line for line in scene.home.complaints() if not migration.is_expected(line))
    scene.close()
    say(f"Home Assistant {version} is told rightly, and does not complain")


def expect_no_complaints(lines):
    text = "\n".join(lines)
    if text:
        raise Failure(f"Home Assistant complains:\n{text}")


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory(prefix="home-assistant-test-") as folder:
        processes = Processes(pathlib.Path(folder))
        try:
            run(processes, str(pathlib.Path(sys.argv[1]).resolve()))
        except (Failure, AssertionError) as failure:
            for name in ("bridge", "home-assistant"):
                log = processes.folder / f"{name}.log"
                if log.exists():
                    lines = log.read_text(errors="replace").splitlines()[-25:]
                    print(f"--- {name}", *lines, sep="\n", file=sys.stderr)
            sys.exit(f"home-assistant-test: {failure if isinstance(failure, Failure) else repr(failure)}")
        finally:
            processes.end_all()


main()
