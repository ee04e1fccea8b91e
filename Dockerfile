# The program with the page in it, and nothing else: docker run -p 7070:7070 -v "$PWD:/work" orbitscope serve model.orb --host 0.0.0.0
FROM rust:1.95-bookworm AS build
# The image's own compiler: `rust-toolchain.toml` would fetch another one, without these targets.
ENV RUSTUP_TOOLCHAIN=1.95.0
RUN rustup target add wasm32-unknown-unknown x86_64-unknown-linux-musl
WORKDIR /src
COPY . .
RUN cargo xtask build
RUN ORBITSCOPE_SITE=/src/dist cargo build --locked --release --package orbitscope-cli --features site --target x86_64-unknown-linux-musl

FROM scratch
COPY --from=build /src/target/x86_64-unknown-linux-musl/release/orbitscope /orbitscope
WORKDIR /work
ENTRYPOINT ["/orbitscope"]
