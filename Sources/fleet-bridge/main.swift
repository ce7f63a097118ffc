print("fleet-bridge")
