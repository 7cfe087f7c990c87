# The command alone:
#
#   docker build --build-arg VERSION=v0.1.0 -t wirekit .
#   docker run --rm -i wirekit convert -t gcf <orders.json
FROM --platform=$BUILDPLATFORM golang:1.26.8@sha256:6c2a5538f964f1c82f97ad14988bf05de100d922d159d0e398b54c7b0ca0c6c9 AS build
ARG TARGETOS
ARG TARGETARCH
ARG VERSION
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 GOOS=${TARGETOS} GOARCH=${TARGETARCH} go build -trimpath -ldflags="-s -w -X main.released=${VERSION}" -o /wirekit ./cmd/wirekit

FROM scratch
# For the upstream of "wirekit mcp proxy --listen" over HTTPS.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /wirekit /wirekit
USER 65534:65534
WORKDIR /data
ENTRYPOINT ["/wirekit"]
