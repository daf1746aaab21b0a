FROM python:3.13-slim AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY src src
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.13-slim
ENV PYTHONUNBUFFERED=1
RUN useradd --system --uid 10001 --create-home --shell /usr/sbin/nologin taskmill
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir /wheels/*.whl && rm -r /wheels
USER taskmill
WORKDIR /home/taskmill
EXPOSE 8000
CMD ["taskmill", "--help"]
