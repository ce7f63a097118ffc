"""From messages of whole devices to those of entities and back: nothing that somebody has set for them may be lost."""

import json
import signal

from stage import until

ID, BATTERY = "fleet-bridge__vacuums__v1", "sensor.rosie_battery"
TOPICS = {
    "device": {f"homeassistant/device/{ID}/config"},
    "entity": {
        f"homeassistant/device_tracker/{ID}/tracker/config", f"homeassistant/sensor/{ID}/battery/config",
        f"homeassistant/sensor/{ID}/status/config",
    },
}
MARKER = {"migrate_discovery": True}


def run(scene):
    home, bridge, watcher = scene.home, scene.bridge, scene.watcher
    home.rename(BATTERY, "Energy")

    def is_told_by(kind):
        return set(scene.announced()) == TOPICS[kind] and MARKER not in map(json.loads, scene.announced().values())

    def is_as_set():
        return scene.knows(3)() and "Energy" in home.attributes(BATTERY).get("friendly_name", "")

    def expect(what, kind):
        until(f"{what}: there are messages of kind {kind} only", lambda: is_told_by(kind))
        scene.report_first()  # it may have been silent for too long
        until("the entities are there as before", lambda: is_as_set() and home.state(BATTERY) == "72")

    def steps(since):
        """What was published on discovery topics, in short, and equal ones in a row once."""
        names = []
        for topic, payload in watcher.history[since:]:
            if topic in TOPICS["device"] | TOPICS["entity"]:
                kind = "device" if topic in TOPICS["device"] else "entity"
                what = "cleared" if not payload else "let go" if json.loads(payload) == MARKER else "told"
                names += [f"{kind} {what}"] if names[-1:] != [f"{kind} {what}"] else []
        return names

    until("an entity has another name by hand", is_as_set)
    for kind, other in (("entity", "device"), ("device", "entity")):
        since = len(watcher.history)
        bridge.reload(scene.configuration(kind, tags=False))
        expect("reload", kind)
        assert steps(since) == [f"{other} let go", f"{kind} told", f"{other} cleared"], steps(since)
    for kind, other in (("entity", "device"), ("device", "entity")):
        bridge.end()
        since = len(watcher.history)
        bridge.start(scene.configuration(kind, tags=False))
        expect("restart", kind)
        assert steps(since) == [f"{other} let go", f"{kind} told", f"{other} cleared"], steps(since)
    since = len(watcher.history)
    bridge.reload(scene.configuration("entity", tags=False))
    until("Home Assistant is asked to let go", lambda: "device let go" in steps(since))
    bridge.end(signal.SIGKILL)
    bridge.start()
    expect("a bridge that was killed meanwhile", "entity")
    home.stop()
    bridge.reload(scene.configuration("device", tags=False))
    until("the messages are others while Home Assistant is away", lambda: is_told_by("device"))
    home.start()
    expect("Home Assistant was away meanwhile", "device")


def is_expected(line):
    """Home Assistant says of the old topic, when it is cleared, that it has the entity by another one."""
    return "Received a conflicting MQTT discovery message" in line
