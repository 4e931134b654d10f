package stories_test

const killAfter = "KITSOKI_TEST_KILL_AFTER"

func victim() int { return 0 }
