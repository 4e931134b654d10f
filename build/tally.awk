# Reads "go test -v", prints the packages' lines and all that failed, and
# last how many tests passed and failed. Exits 1 when one failed or none ran.
/^=== (RUN|PAUSE|CONT|NAME)/ { next }
/^ *--- PASS: /              { passed++; next }
/^ *--- SKIP: /              { skipped++; print; next }
/^ *--- FAIL: /              { failed++; print; next }
/^(ok|FAIL|panic:|\?) /      { print; if ($1 != "ok" && $1 != "?") broken = 1; next }
/^FAIL$/                     { broken = 1; next }
/^PASS$/                     { next }
                             { print }
END {
	printf "%d passed, %d failed%s\n", passed, failed, skipped ? sprintf(", %d skipped", skipped) : ""
	exit (failed || broken || !passed) ? 1 : 0
}
