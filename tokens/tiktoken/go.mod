module github.com/wirekit/wirekit/tokens/tiktoken

go 1.25.0

require (
	github.com/pkoukk/tiktoken-go v0.1.8
	github.com/pkoukk/tiktoken-go-loader v0.0.2
	github.com/stretchr/testify v1.12.1
	github.com/wirekit/wirekit v0.1.0
)

require (
	github.com/dlclark/regexp2 v1.12.0 // indirect
	github.com/google/uuid v1.6.0 // indirect
	go.yaml.in/yaml/v3 v3.0.6 // indirect
)

replace github.com/wirekit/wirekit => ../..
