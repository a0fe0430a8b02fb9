# An image with Debian, gcc, PoCL, accelbench, and the packages of envs/base.lock, each checked against its hash.
#
#   docker build -t accelbench .
#   docker build -t accelbench:cuda --build-arg LOCK=cuda12 .          with CUDA's libraries; run it with --gpus all
#   docker run --rm -v "$PWD/results:/accelbench/results" -v "$PWD/reports:/accelbench/reports" accelbench make report
ARG BASE=debian:trixie-slim
FROM ${BASE}
ARG LOCK=base
ENV LOCK=${LOCK} PIP_NO_CACHE_DIR=1 PATH=/accelbench/.venv/bin:${PATH}
WORKDIR /accelbench
COPY envs/install-container.sh envs/
RUN envs/install-container.sh
COPY . .
RUN make install
CMD ["make", "report"]
