# docker build -t mazurka . && docker run --rm -v "$PWD:/src" mazurka check program.c
FROM rust:1-slim-bookworm AS build
WORKDIR /mazurka
COPY . .
RUN cargo install --locked --path crates/mazurka-cli --root /usr/local

FROM debian:bookworm-slim
# clang compiles C and C++ programs, and Erlang/OTP 25 Erlang programs; `--eunit` needs eunit.
RUN apt-get update \
 && apt-get install -y --no-install-recommends clang libc6-dev libstdc++-12-dev erlang-base erlang-eunit \
 && rm -rf /var/lib/apt/lists/*
COPY --from=build /usr/local/bin/mazurka /usr/local/bin/mazurka
WORKDIR /src
ENTRYPOINT ["mazurka"]
CMD ["help"]
