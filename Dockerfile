# turkbench with a browser, fonts and the packages for models and for PostgreSQL; docs/how-to/containers.md says how it is run.
# It wants a seccomp profile that lets it make user namespaces, of which Chromium's sandbox is made: the one of Podman
# does, in place of Docker's there is examples/containers/seccomp.json.
ARG BASE=docker.io/library/debian:trixie-slim

FROM ${BASE} AS packages
RUN apt-get update -qq \
    && apt-get install -y -qq --no-install-recommends ca-certificates python3-venv \
    && python3 -m venv /opt/turkbench
ARG EXTRAS=anthropic,google,mcp,openai,postgres
WORKDIR /source
COPY . .
RUN /opt/turkbench/bin/pip install -q --no-cache-dir --disable-pip-version-check -c constraints.txt ".[${EXTRAS}]" \
    && /opt/turkbench/bin/pip uninstall -q -y pip \
    && find /opt/turkbench/lib -type d -name tests -prune -exec rm -r {} + \
    && /opt/turkbench/bin/python -m compileall -q /opt/turkbench/lib

FROM ${BASE}
COPY .ci/system-packages /tmp/
RUN apt-get update -qq \
    && apt-get install -y -qq --no-install-recommends ca-certificates python3 tini \
    && /tmp/system-packages browser box \
    && rm -rf /tmp/system-packages /var/lib/apt/lists/* /var/cache/apt/* /var/log/apt /var/log/dpkg.log \
    && useradd --uid 1000 --create-home somebody \
    && mkdir -p /work/runs && chown -R somebody:somebody /work \
    && echo 'PATH=/opt/turkbench/bin:$PATH' >/etc/profile.d/turkbench.sh
COPY --from=packages /opt/turkbench /opt/turkbench
# All that is written is below /work (runs, cache, answers of people) and /tmp: the rest may be read-only.
ENV PATH=/opt/turkbench/bin:$PATH LANG=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 \
    HOME=/tmp XDG_CACHE_HOME=/work/cache XDG_DATA_HOME=/work/data
USER 1000:1000
WORKDIR /work
VOLUME /work
EXPOSE 8000 8001
# tini ends what browsers leave behind: the first process of a container has to.
ENTRYPOINT ["tini", "--", "turkbench"]
CMD ["--help"]
