package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"
)

// With an argument: makes so many calls at once and prints when each was sent, in nanoseconds.
// Without: reads times in nanoseconds and prints which of these calls the limiter admits, without a wait.
func main() {
	if len(os.Args) > 1 {
		callAtOnce(os.Args[1])
		return
	}
	start := time.Now()
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		at, err := strconv.ParseInt(lines.Text(), 10, 64)
		if err != nil {
			panic(err)
		}
		fmt.Println(limiter.AllowN(start.Add(time.Duration(at)), 1))
	}
}

func callAtOnce(number string) {
	calls, err := strconv.Atoi(number)
	if err != nil {
		panic(err)
	}
	sent := make(chan time.Duration, calls)
	start := time.Now()
	var all sync.WaitGroup
	for n := 0; n < calls; n++ {
		all.Add(1)
		go func() {
			defer all.Done()
			err := call(context.Background(), func() error { sent <- time.Since(start); return nil })
			if err != nil {
				panic(err)
			}
		}()
	}
	all.Wait()
	close(sent)
	for at := range sent {
		fmt.Println(at.Nanoseconds())
	}
}
