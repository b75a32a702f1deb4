# mutantfuzz for CI systems other than GitHub Actions: docs/ci.md says how.
#
#	docker build -t mutantfuzz .
#	docker run --rm -v "$PWD:/src" --user "$(id -u):$(id -g)" mutantfuzz run --base origin/main

# The digest is that of the index of all platforms: docs/ci.md says how to take
# the one of a newer image. Both lines below have to have the same.
FROM golang:1.26.5@sha256:3aff6657219a4d9c14e27fb1d8976c49c29fddb70ba835014f477e1c70636647 AS build
WORKDIR /build
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -o /mutantfuzz ./cmd/mutantfuzz

# An analysis builds the program's tests, so it needs Go, git and, for cgo, a C
# compiler. This image has all three. A go.mod that asks for a newer Go gets it.
FROM golang:1.26.5@sha256:3aff6657219a4d9c14e27fb1d8976c49c29fddb70ba835014f477e1c70636647
COPY --from=build /mutantfuzz /usr/local/bin/
# A repository that is mounted belongs to another user, which git minds. Only
# the working folder and what is in it is fine; the second line needs git 2.46.
RUN git config --system --add safe.directory /src && git config --system --add safe.directory '/src/*'
# Any user may be chosen with --user, so the home is for whoever comes.
RUN useradd --uid 1000 --create-home mutantfuzz && chmod 0777 /home/mutantfuzz
USER mutantfuzz
ENV HOME=/home/mutantfuzz GOPATH=/home/mutantfuzz/go GOTOOLCHAIN=auto
WORKDIR /src
ENTRYPOINT ["mutantfuzz"]
