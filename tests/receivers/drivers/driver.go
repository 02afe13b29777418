// Holds every Go receiver and answers the questions that come in lines (see runtimes.py).
package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	// imports
)

type arguments []string

func (a arguments) data(n int) []byte {
	value, err := base64.StdEncoding.DecodeString(a[n][1:])
	if err != nil {
		panic(err)
	}
	return value
}

func (a arguments) text(n int) string { return string(a.data(n)) }

func (a arguments) headers(n int) http.Header {
	headers := http.Header{}
	lines := strings.Split(a.text(n), "\n")
	for i := 0; i+1 < len(lines); i += 2 {
		headers.Add(lines[i], lines[i+1])
	}
	return headers
}

var receivers = map[string]func(arguments) bool{
	// table
}

func answer(words []string) (said string) {
	defer func() {
		if problem := recover(); problem != nil {
			said = strings.ReplaceAll(fmt.Sprint("panic: ", problem), "\n", " ")
		}
	}()
	return fmt.Sprint(receivers[words[0]](words[1:]))
}

func main() {
	input := bufio.NewReader(os.Stdin)
	for {
		line, err := input.ReadString('\n')
		if err == io.EOF {
			return
		}
		fmt.Println(answer(strings.Fields(line)))
	}
}
