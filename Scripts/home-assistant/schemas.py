"""Home Assistant's own schemas of discovery messages, which refuse what they do not know."""

import asyncio
import json
import tempfile

from homeassistant.core import HomeAssistant
from homeassistant.components.mqtt import device_tracker, sensor

try:
    from homeassistant.components.mqtt.schemas import DEVICE_DISCOVERY_SCHEMA as DEVICE
except ImportError:
    DEVICE = None  # before 2024.12

ENTITIES = {"device_tracker": device_tracker.PLATFORM_SCHEMA_MODERN, "sensor": sensor.PLATFORM_SCHEMA_MODERN}


def check(messages):
    """Raises for the first message, by topic, that is not as it should be."""

    async def check():
        with tempfile.TemporaryDirectory() as folder:
            HomeAssistant(folder)  # templates are read by the one that is there
            check_all(messages)

    asyncio.run(check())


def check_all(messages):
    for topic, payload in messages.items():
        document = json.loads(payload)
        component = topic.split("/")[1]
        if component != "device":
            check_entity(component, document)
            continue
        assert DEVICE, "this version knows nothing of devices"
        DEVICE(json.loads(payload))
        shared = {key: document[key] for key in document if key != "components"}
        for entity in document["components"].values():
            check_entity(entity.pop("platform"), shared | entity)


def check_entity(component, document):
    # What a text may be is known to later versions only.
    if not DEVICE and document.get("device_class") == "enum":
        assert document.pop("options") == ["live", "stale", "lost", "offline"], document
    ENTITIES[component](document)
