# The server with a dataset baked in, made of wheels alone and without a network; docs/air-gap.md says where from:
#
#   docker build --network none --build-context wheels=wheelhouse --build-arg BASE=python:3.13-slim -t lorekeeper .
#   docker run --rm -i --network none --read-only lorekeeper
#   docker run --rm -p 127.0.0.1:8000:8000 --read-only lorekeeper serve --transport http --host 0.0.0.0 --no-auth

ARG BASE=python:3.13-slim

FROM ${BASE} AS install
RUN --mount=type=bind,from=wheels,target=/wheels \
    python -m venv --without-pip /opt/lorekeeper \
    && pip --python /opt/lorekeeper/bin/python install --no-cache-dir --no-index /wheels/*.whl

FROM ${BASE}
COPY --from=install /opt/lorekeeper /opt/lorekeeper
USER 65532:65532
EXPOSE 8000
ENTRYPOINT ["/opt/lorekeeper/bin/lorekeeper"]
CMD ["serve"]
