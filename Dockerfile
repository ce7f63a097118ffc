# Both programs in one image: docker build -t fleet-bridge .
# An argument that is there and empty, as docker-compose 1.29 passes it on, means the default, too.
ARG BUILD_IMAGE
ARG RUNTIME_IMAGE

FROM ${BUILD_IMAGE:-swift:6.3-bookworm} AS build
WORKDIR /fleet-bridge
# Apart from the sources, so that a change of these does not install it all again.
COPY Package.swift ./
COPY Scripts/install-dependencies Scripts/
RUN Scripts/install-dependencies build
COPY . .
RUN for product in fleet-bridge fleet-sim; do \
        swift build --configuration release --static-swift-stdlib --product "$product" || exit 1; \
    done && \
    install -D --target-directory /programs .build/release/fleet-bridge .build/release/fleet-sim

FROM ${RUNTIME_IMAGE:-debian:bookworm-slim}
# mosquitto-clients is for health checks.
RUN apt-get update && \
    apt-get install --yes --no-install-recommends \
        ca-certificates libicu72 libjson-c5 libmicrohttpd12 libmosquitto1 libproj25 libstdc++6 libxml2 libyaml-0-2 zlib1g \
        libjs-leaflet libjs-leaflet.markercluster mosquitto-clients && \
    rm -rf /var/lib/apt/lists/* && \
    useradd --system --no-create-home --shell /usr/sbin/nologin fleet-bridge
COPY --from=build /programs/ /usr/local/bin/
COPY Web/ /usr/local/share/fleet-bridge/web/
USER fleet-bridge
ENTRYPOINT ["fleet-bridge"]
CMD ["run"]
