#!/usr/bin/env python3
"""Writes projected.json: positions in other coordinate systems, by pyproj, to hold the bridge's own against.

Run it with `pyproj` installed (made with pyproj 3.7.2, which brings PROJ 9.5.1 and no grids): python3 make-projected.py > projected.json

Positions are given as longitude and latitude. `null` is a position that the system has no place for: PROJ says so, or what it
yields is farther away than 100 000 km, or does not lead back to the position.
"""

import json
import math
import random

from pyproj import CRS, Transformer

FARTHEST = 1e8
TOLERANCE = 1e-6

# In parts of their area, versions of PROJ's database choose other relations to WGS 84; only the named positions are safe.
UNSETTLED = {"EPSG:5514"}

SYSTEMS = {
    "EPSG:25832": [(9.9504788, 57.0582502), (9, 0), (15.13, 55.1), (12, 84), (-170, 0), (99.1, 1), (-80.5, -1.5)],
    "EPSG:3857": [(9.9504788, 57.0582502), (0, 0), (180, 85.06), (-180, -85.06), (0, 89.9), (0, 90), (10, -90)],
    "EPSG:27700": [(-0.1276, 51.5074), (-3.19, 55.95), (1.716073973, 52.658007833), (-6.3, 49.9), (99.1, 1)],
    "EPSG:2056": [(7.438632495, 46.951082877), (8.730497076, 46.044130302), (6.1, 46.2), (99.1, 1), (151, -33), (180, 0)],
    "EPSG:4326": [(9.9504788, 57.0582502), (-180, -90), (180, 90), (0, 0)],
    "EPSG:4258": [(9.9504788, 57.0582502), (-5.123456789, -33)],
    "EPSG:4267": [(-96.5, 39.25), (-70.1, 43.6)],
    "EPSG:3413": [(-45, 90), (-45, 70), (9.95, 57.05), (135, 60), (-180, 75), (0, -90), (9, -85.5)],
    "EPSG:3031": [(0, -90), (166.67, -77.85), (-68.1, -67.6), (0, 90)],
    "EPSG:32733": [(15.0, -22.57), (18.42, -33.92), (12.0, -0.0001), (99.1, 1)],
    "EPSG:3035": [(9.9504788, 57.0582502), (10, 52), (-24, 37)],
    "EPSG:2193": [(174.7633, -36.8485), (170.5, -45.87)],
    "EPSG:2263": [(-73.9857, 40.7484), (-74.1, 40.6), (0, -90)],
    "EPSG:3414": [(103.8198, 1.3521)],
    "EPSG:5514": [(14.42, 50.09), (17.1, 48.15)],
    "ESRI:54009": [(9.9504788, 57.0582502), (-60, -20), (0, 0)],
    "OGC:CRS84": [(9.9504788, 57.0582502), (-123.45, -54.321)],
    "WGS 84 / UTM zone 32N": [(9.9504788, 57.0582502)],
    "+proj=laea +lat_0=57 +lon_0=10 +datum=WGS84 +units=m": [(9.9504788, 57.0582502), (10, 57)],
}


def place(transformer, geographic, lon, lat):
    try:
        x, y = transformer.transform(lon, lat, errcheck=True)
        back = transformer.transform(x, y, direction="INVERSE", errcheck=True)
    except Exception:
        return None
    if not (math.isfinite(x) and math.isfinite(y)) or (not geographic and max(abs(x), abs(y)) > FARTHEST):
        return None
    east = math.remainder(back[0] - lon, 360) * math.cos(math.radians(lat))
    return [x, y] if max(abs(east), abs(back[1] - lat)) <= TOLERANCE else None


def main():
    random.seed(9)
    cases = []
    for crs, positions in SYSTEMS.items():
        transformer = Transformer.from_crs("EPSG:4326", crs, always_xy=True, allow_ballpark=False)
        area = CRS(crs).area_of_use
        if area is not None and crs not in UNSETTLED:
            east = area.east if area.east > area.west else area.east + 360
            positions = positions + [
                (round((random.uniform(area.west, east) + 180) % 360 - 180, 7), round(random.uniform(area.south, area.north), 7))
                for _ in range(10)
            ]
        geographic = CRS(crs).is_geographic
        cases.append(
            {
                "crs": crs,
                "positions": [
                    {"lon": lon, "lat": lat, "place": place(transformer, geographic, lon, lat)} for lon, lat in positions
                ],
            }
        )
    print("[")
    print(",\n".join(f"  {json.dumps(case)}" for case in cases))
    print("]")


main()
