#!/usr/bin/env python3
"""Writes distances.json: signed distances from places to areas, by Shapely (GEOS) and PROJ, to hold the bridge's own against.

Run it with `shapely` and `pyproj` installed (made with Shapely 2.2.0 and pyproj 3.7.2): python3 make-distances.py > distances.json

Edges are straight in degrees, as RFC 7946 has them, so they are divided before they are projected. The projection is the azimuthal
equidistant one about the middle of the area.
"""

import json
import math
import random

from pyproj import Transformer
from shapely.geometry import MultiPolygon, Point, Polygon

DIVISIONS = 400


def wrap(longitude):
    while longitude > 180:
        longitude -= 360
    while longitude < -180:
        longitude += 360
    return longitude


def ring(center, offsets):
    """A closed ring of points at metres east and north of a place, roughly."""
    lat0, lon0 = center
    per_lat = 111_320.0
    per_lon = per_lat * math.cos(math.radians(lat0))
    points = [
        [round(wrap(lon0 + east / per_lon), 9), round(lat0 + north / per_lat, 9)] for east, north in offsets
    ]
    return points + points[:1]


def box(e0, n0, e1, n1):
    return [(e0, n0), (e1, n0), (e1, n1), (e0, n1)]


def star(count, inner, outer):
    return [
        (
            (outer if i % 2 == 0 else inner) * math.cos(math.pi * i / count),
            (outer if i % 2 == 0 else inner) * math.sin(math.pi * i / count),
        )
        for i in range(2 * count)
    ]


SHAPES = {
    "room": [[box(-6, -4, 6, 4)]],
    "corridor round a shaft": [[box(-20, -15, 20, 15), box(-10, -8, 10, 8)]],
    "two holes": [[box(-30, -10, 30, 10), box(-20, -5, -10, 5), box(10, -5, 20, 5)]],
    "star": [[star(7, 10, 30)]],
    "two wings": [[box(-40, -10, -5, 10)], [box(5, -10, 40, 10), box(15, -4, 25, 4)]],
    "room in a hole": [[box(-20, -20, 20, 20), box(-12, -12, 12, 12)], [box(-5, -5, 5, 5)]],
    "yard": [[[(-900, -500), (1000, -400), (800, 600), (-1000, 450)]]],
    "district": [[[(-6000, -4000), (7000, -3000), (5000, 6000), (-6500, 2500)]]],
}
PLACES = {
    "equator": (0.0, 9.95),
    "Aalborg": (57.0582502, 9.9504788),
    "Longyearbyen": (78.2232, 15.6267),
    "85 north": (85.0, 40.0),
    "85 south": (-84.99, -120.0),
    "180 east": (-16.8, 180.0),
    "180 west": (71.0, -179.9999),
    "180 at 85 north": (84.9, 179.9998),
}


def projected(transformer, line):
    """A ring in metres, with its edges divided in degrees."""
    points = []
    for (lon1, lat1), (lon2, lat2) in zip(line, line[1:]):
        step = wrap(lon2 - lon1)
        for i in range(DIVISIONS):
            part = i / DIVISIONS
            points.append(transformer.transform(wrap(lon1 + part * step), lat1 + part * (lat2 - lat1)))
    return points


def main():
    random.seed(20261130)
    cases = []
    for place, center in PLACES.items():
        transformer = Transformer.from_crs(
            "EPSG:4326", f"+proj=aeqd +lat_0={center[0]} +lon_0={center[1]} +ellps=WGS84", always_xy=True
        )
        for name, shape in SHAPES.items():
            polygons = [[ring(center, offsets) for offsets in polygon] for polygon in shape]
            area = MultiPolygon(
                [Polygon(projected(transformer, p[0]), [projected(transformer, h) for h in p[1:]]) for p in polygons]
            )
            assert area.is_valid, (place, name)
            reach = max(max(abs(e), abs(n)) for polygon in shape for r in polygon for e, n in r)
            offsets = [(random.uniform(-1.5, 1.5) * reach, random.uniform(-1.5, 1.5) * reach) for _ in range(25)]
            points = [p for p in ring(center, offsets)[:-1]]
            for polygon in polygons:  # corners, and points of edges
                for line in polygon:
                    points.append(line[0])
                    (lon1, lat1), (lon2, lat2) = line[0], line[1]
                    points.append([round(wrap(lon1 + 0.3 * wrap(lon2 - lon1)), 12), round(lat1 + 0.3 * (lat2 - lat1), 12)])
            rows = []
            for lon, lat in points:
                point = Point(*transformer.transform(lon, lat))
                distance = area.boundary.distance(point)
                rows.append([lon, lat, round(-distance if area.contains(point) else distance, 5)])
            cases.append({"name": f"{name}, {place}", "polygons": polygons, "points": rows, "area": round(area.area, 3)})
    print("[")
    print(",\n".join(json.dumps(case) for case in cases))
    print("]")


if __name__ == "__main__":
    main()
