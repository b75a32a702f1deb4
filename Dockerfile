# mutantfuzz for CI systems other than GitHub Actions: docs/ci.md says how.
#
#	docker build -t mutantfuzz .
#	docker run --rm -v "$PWD:/src" --user "$(id -u):$(id -g)" mutantfuzz run --base origin/main

FROM golang:1.26 AS build
WORKDIR /build
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -o /mutantfuzz ./cmd/mutantfuzz

# An analysis builds the program's tests, so it needs Go, git and, for cgo, a C
# compiler. This image has all three. A go.mod that asks for a newer Go gets it.
FROM golang:1.26
COPY --from=build /mutantfuzz /usr/local/bin/
# A repository that is mounted belongs to another user, which git minds.
RUN git config --system --add safe.directory '*'
# Any user may be chosen with --user, so the home is for whoever comes.
RUN useradd --uid 1000 --create-home mutantfuzz && chmod 0777 /home/mutantfuzz
USER mutantfuzz
ENV HOME=/home/mutantfuzz GOPATH=/home/mutantfuzz/go GOTOOLCHAIN=auto
WORKDIR /src
ENTRYPOINT ["mutantfuzz"]
