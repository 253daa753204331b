# The server with a dataset in it, for machines without a network. `make image` puts both wheels into out/image.
FROM python:3.12-slim
COPY out/image/*.whl /wheels/
RUN pip install --no-cache-dir --no-compile /wheels/*.whl && rm -r /wheels
USER 10001
EXPOSE 8000
ENTRYPOINT ["lorekeeper"]
CMD ["serve", "--transport", "http", "--host", "0.0.0.0", "--port", "8000"]
