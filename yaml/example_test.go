package yaml_test

import (
	"fmt"
	"strings"

	"github.com/wirekit/wirekit/yaml"
)

func ExampleMarshal() {
	text, err := yaml.Marshal(map[string]any{"name": "api", "ports": []int{80, 443}, "country": "no"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(text))
	// Output:
	// country: "no"
	// name: api
	// ports:
	//   - 80
	//   - 443
}

func ExampleUnmarshal() {
	var service struct {
		Name  string `json:"name"`
		Ports []int  `json:"ports"`
	}
	err := yaml.Unmarshal([]byte("name: api\nports: [80, 443]\n"), &service)
	fmt.Println(service, err)
	// Output:
	// {api [80 443]} <nil>
}

func ExampleCodec_Records() {
	for v, err := range (yaml.Codec{}).Records(strings.NewReader("a: 1\n---\na: yes\n")) {
		fmt.Println(v, err)
	}
	// Output:
	// {"a":1} <nil>
	// {"a":"yes"} <nil>
}
