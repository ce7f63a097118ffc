print("fleet-sim")
