"""A real Home Assistant: its process, its HTTP interface, its registry, its log."""

import asyncio
import json
import pathlib
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request

import aiohttp

from stage import Failure, free_port, until

USER, PASSWORD = "admin", "of-no-importance"


class HomeAssistant:
    def __init__(self, processes, broker_port):
        self.processes, self.broker_port, self.port = processes, broker_port, free_port()
        self.folder = processes.folder / "home-assistant"
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

    # Its process

    def start(self):
        self.process = self.processes.start("home-assistant", *self.command)
        # The first time, it installs packages.
        until("Home Assistant answers", self.is_answering, 400)

    def stop(self):
        self.processes.end(self.process)

    def restart(self):
        self.stop()
        self.start()

    def is_answering(self):
        if self.process.poll() is not None:
            raise Failure("Home Assistant has ended")
        try:
            self.request("/manifest.json")
            return True
        except OSError:
            return False

    # Its HTTP interface

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

    # Its entities

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
        others = ("sensor.sun_", "sensor.backup_")
        ids = [entity["entity_id"] for entity in self.request("/api/states")]
        return sorted(id for id in ids if id.startswith(own) and not id.startswith(others))

    # Its registries, which only its web socket tells of

    def ask(self, kind, **arguments):
        async def ask():
            async with aiohttp.ClientSession() as session:
                async with session.ws_connect(f"http://127.0.0.1:{self.port}/api/websocket") as socket:
                    await socket.receive_json()
                    await socket.send_json({"type": "auth", "access_token": self.token})
                    await socket.receive_json()
                    await socket.send_json({"id": 1, "type": kind} | arguments)
                    answer = await socket.receive_json()
                    if not answer["success"]:
                        raise Failure(f"{kind}: {answer['error']}")
                    return answer["result"]

        return asyncio.run(ask())

    def rename(self, entity_id, name):
        """What somebody does by hand, and only the registry remembers."""
        self.ask("config/entity_registry/update", entity_id=entity_id, name=name)

    def devices(self):
        """By the identifiers that MQTT gave them."""
        devices = self.ask("config/device_registry/list")
        return {id: device for device in devices for domain, id in device["identifiers"] if domain == "mqtt"}

    # Its log

    def complaints(self):
        """What it says of MQTT and of templates."""
        lines = (self.processes.folder / "home-assistant.log").read_text(errors="replace").splitlines()
        levels = (" WARNING ", " ERROR ")
        subjects = ("mqtt", "template", "sensor", "device_tracker")
        # It starts before the test's broker is known to it, and it is ended while connected.
        return [
            line for line in lines
            if any(level in line for level in levels) and any(subject in line for subject in subjects)
            and "mqtt.client" not in line
        ]
