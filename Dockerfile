# The course in a container, to grade on a Mac or on Windows: docs/instructor.md, "A container", says how to run it.
FROM python:3.12-slim

RUN apt-get update \
    && apt-get install -y --no-install-recommends bubblewrap fonts-dejavu-core git make \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home instructor \
    && install -d -o instructor -g instructor /opt/course /class

USER instructor
WORKDIR /opt/course

# What is installed changes seldom, and the course often: of the two layers, the large one stays.
COPY --chown=instructor constraints.txt ./
RUN python -m venv .venv \
    && .venv/bin/python -m pip install --no-cache-dir --no-deps --index-url https://download.pytorch.org/whl/cpu \
        "$(sed -n 's/^\(torch==[^ ]*\).*/\1/p' constraints.txt)"
COPY --chown=instructor . .
RUN .venv/bin/python -m pip install --no-cache-dir -c constraints.txt -e ".[dask,postgresql]"

ENV PATH="/opt/course/.venv/bin:$PATH" USER=instructor
WORKDIR /class
ENTRYPOINT ["course"]
CMD ["--help"]
