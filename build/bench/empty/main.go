// Command empty does nothing: the floor that whole processes are compared
// with.
package main

func main() {}
