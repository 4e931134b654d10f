package project

// lookCargo: cargo's own ways.
func lookCargo(dir, job string) (offer, bool) {
	if !exists(dir, "Cargo.toml") {
		return offer{}, false
	}
	verb := map[string]string{"test": "test", "lint": "clippy", "format": "fmt", "build": "build", "install": "fetch", "run": "run"}[job]
	return offer{option: &option{"cargo", "Cargo.toml", []string{"cargo", verb}, false}}, true
}
