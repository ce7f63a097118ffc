# Fleet Bridge. 'make' lists the targets; each installs what it lacks.

.PHONY: help demo test browser-test bench simulate chaos soak compose-test home-assistant-test format install

# Servers are in directories that are not on everyone's path.
export PATH := $(PATH):/usr/sbin

PREFIX ?= /usr/local
# Passed on to the seeded tests: SEEDS=N runs seeds 1…N, SEED=n just one, FOR=2m lets each run so long.
export SEEDS SEED FOR

# Looked at before anything else is done.
need-swift = $(if $(shell command -v swift),,$(error Swift is missing: \
	install Swift 6.2 or later from https://www.swift.org/install/linux/ and put it on the PATH))

help:
	@echo 'make demo            a broker, 16 robot vacuums and the bridge, live on the terminal; FOR=20s ends by itself'
	@echo 'make test            builds and runs every test'
	@echo 'make browser-test    the map page in Chromium, against bridge, broker and simulators'
	@echo 'make bench           measures, and writes bench.json'
	@echo 'make simulate        the engine against an oracle, seeded: SEEDS=100 runs seeds 1 to 100, SEED=7 just one'
	@echo 'make chaos           kills broker, bridge and devices and looks what stands in the end; FOR=2m, seeded: SEEDS=5, SEED=7'
	@echo 'make soak            1000 devices for ten minutes: does the bridge grow? FOR=30m'
	@echo 'make compose-test    brings docker-compose.yml up and takes it down; without a Docker engine, checks the file'
	@echo 'make home-assistant-test  installs two versions of Home Assistant (1.4 GB below .build) and looks there at what the bridge'
	@echo '                     tells them; HOME_ASSISTANT=2025.4.4 just one'
	@echo 'make format          formats the sources'
	@echo 'make install         installs both programs, a systemd unit and examples to PREFIX=/usr/local'

demo:
	$(need-swift)
	@Scripts/install-dependencies build broker web
	@Scripts/drop-stale-build release
	@swift build -c release --product fleet-bridge
	@swift build -c release --product fleet-sim
	@setpriv --pdeathsig TERM Scripts/demo $(FOR)

test:
	$(need-swift)
	@Scripts/install-dependencies build broker metrics
	@Scripts/drop-stale-build debug
	swift test
	@Scripts/drop-stale-build debug examples/own-source
	swift test --package-path examples/own-source
	@Scripts/browser-tests

browser-test:
	$(need-swift)
	@Scripts/install-dependencies build
	@Scripts/drop-stale-build debug
	@swift build --product fleet-bridge
	@swift build --product fleet-sim
	@Scripts/browser-tests

bench:
	$(need-swift)
	@Scripts/install-dependencies build
	@Scripts/drop-stale-build release
	swift run -c release fleet-bench

simulate:
	$(need-swift)
	@Scripts/install-dependencies build
	@Scripts/seeded-tests Simulation

chaos:
	$(need-swift)
	@Scripts/install-dependencies build broker
	@Scripts/seeded-tests Chaos

soak:
	$(need-swift)
	@Scripts/install-dependencies build broker
	@Scripts/drop-stale-build release
	@swift build -c release --product fleet-bridge
	@swift build -c release --product fleet-sim
	@setpriv --pdeathsig TERM Scripts/soak $(FOR)

compose-test:
	@Scripts/install-dependencies broker compose
	@Scripts/compose-test

home-assistant-test:
	$(need-swift)
	@Scripts/install-dependencies build broker python
	@Scripts/drop-stale-build debug
	@swift build --product fleet-bridge
	@Scripts/home-assistant-test $(HOME_ASSISTANT)

format:
	$(need-swift)
	swift format --in-place --recursive --parallel Package.swift Sources Simulators Tests examples

install:
	$(need-swift)
	@Scripts/install-dependencies build web
	@Scripts/drop-stale-build release
	swift build -c release --static-swift-stdlib --product fleet-bridge
	swift build -c release --static-swift-stdlib --product fleet-sim
	.build/release/fleet-bridge check examples/mixed.yaml # the linked-in runtime must know time zones
	install -d $(DESTDIR)$(PREFIX)/bin
	install .build/release/fleet-bridge .build/release/fleet-sim $(DESTDIR)$(PREFIX)/bin
	install -d $(DESTDIR)$(PREFIX)/lib/systemd/system $(DESTDIR)$(PREFIX)/share/fleet-bridge
	sed 's,/usr/local,$(PREFIX),' examples/fleet-bridge.service \
		>$(DESTDIR)$(PREFIX)/lib/systemd/system/fleet-bridge.service
	cp -R examples mosquitto.conf docs/*.schema.json docs/schemas $(DESTDIR)$(PREFIX)/share/fleet-bridge
	install -d $(DESTDIR)$(PREFIX)/share/fleet-bridge/web
	cp -R Web/. $(DESTDIR)$(PREFIX)/share/fleet-bridge/web
