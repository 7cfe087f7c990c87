// Toolresult makes the result of a tool as short as it can be for a model that
// reads it.
package main

import (
	"fmt"
	"log"
	"time"

	"github.com/wirekit/wirekit"
)

type host struct {
	Name   string    `json:"name"`
	Region string    `json:"region"`
	CPU    float64   `json:"cpu"`
	Up     bool      `json:"up"`
	Since  time.Time `json:"since"`
}

func main() {
	booted := time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)
	hosts := []host{
		{"db-1", "eu-west", 0.41, true, booted},
		{"db-2", "eu-west", 0.87, true, booted.Add(90 * time.Minute)},
		{"web-1", "us-east", 0.12, false, booted.Add(26 * time.Hour)},
	}
	text, report, err := wirekit.Text(hosts) // any Go value, or a wire.Value; JSON text: TextJSON
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(text)

	// The report tells what was measured, and why the others were not chosen.
	fmt.Printf("%.0f %% saved against compact JSON\n", 100*report.Saving())
	for _, candidate := range report.Candidates {
		if candidate.Outcome != "refused" {
			fmt.Println(candidate)
		}
	}
}
