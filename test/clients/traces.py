"""What python.test.ts has Phoenix's OpenTelemetry package of Python do: sends one span, prints whether it was taken."""

import sys

from phoenix.otel import register

endpoint, protocol, project = sys.argv[1:]
provider = register(
    project_name=project,
    endpoint=endpoint,
    protocol=protocol,
    batch=True,
    verbose=False,
    set_global_tracer_provider=False,
)
with provider.get_tracer("python").start_as_current_span("ask") as span:
    span.set_attribute("input.value", "Where is my parcel?")
provider.force_flush()
provider.shutdown()
