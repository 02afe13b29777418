package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/time/rate"
)

// Arguments: the rate per second and the burst. Reads times in nanoseconds and prints how long each call waits.
func main() {
	limit, err := strconv.ParseFloat(os.Args[1], 64)
	if err != nil {
		panic(err)
	}
	burst, err := strconv.Atoi(os.Args[2])
	if err != nil {
		panic(err)
	}
	limiter, start := rate.NewLimiter(rate.Limit(limit), burst), time.Now()
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		offset, err := strconv.ParseInt(lines.Text(), 10, 64)
		if err != nil {
			panic(err)
		}
		at := start.Add(time.Duration(offset))
		fmt.Println(limiter.ReserveN(at, 1).DelayFrom(at).Nanoseconds())
	}
}
