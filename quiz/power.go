package quiz

import (
	"fmt"
	"math"
)

// Discordant is the part of questions that Power takes to be answered rightly in one of
// two formats only.
const Discordant = 0.1

// Quantiles of the normal distribution: of an error of 5 % on two sides, and of a power
// of 80 %.
const (
	zTwoSided = 1.959963984540054
	zPower    = 0.8416212335729143
)

// Power returns how many questions it takes to see a difference between two formats, in
// points of 100, with a probability of 80 % and an error of 5 %, if Discordant of the
// questions are answered differently. Answers of one model to the same questions are
// compared, each question is about a document of its own, and the formats are two.
func Power(points float64) (int, error) {
	d := points / 100
	if !(d > 0 && d <= Discordant) {
		return 0, fmt.Errorf("quiz: a difference of %v points; it is above 0, and at most %v where so many answers differ", points, Discordant*100)
	}
	// The sizes at which a normal distribution would find it, and the counts do.
	root := zTwoSided*math.Sqrt(Discordant) + zPower*math.Sqrt(Discordant-d*d)
	n := root * root / (d * d)
	step := 1 + math.Sqrt(1+4/(n*d))
	return int(math.Ceil(n / 4 * step * step)), nil
}

// Clustered returns how many questions it takes if each document has some of them:
// answers about one document are alike, with a correlation of [Within].
func Clustered(questions, perDocument int) int {
	return int(math.Ceil(float64(questions) * (1 + float64(perDocument-1)*Within)))
}

// Within is the correlation of answers about one document that Clustered takes.
const Within = 0.05
