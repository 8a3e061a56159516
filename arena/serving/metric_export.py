"""Export of the Prometheus metrics of a process to an OpenTelemetry collector, under the same names."""

from __future__ import annotations

import time
from contextlib import contextmanager
from itertools import groupby, pairwise
from os import environ
from threading import Event, Thread
from typing import TYPE_CHECKING, Final, Protocol, cast

from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.sdk.metrics.export import (
    AggregationTemporality,
    Gauge,
    Histogram,
    HistogramDataPoint,
    Metric,
    MetricsData,
    NumberDataPoint,
    ResourceMetrics,
    ScopeMetrics,
    Sum,
)
from opentelemetry.sdk.util.instrumentation import InstrumentationScope

from arena.adapters.observability.metrics import REGISTRY

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from opentelemetry.sdk.resources import Resource
    from prometheus_client.metrics_core import Metric as Family
    from prometheus_client.samples import Sample

_INTERVAL: Final = "60000"


class _Exporter(Protocol):
    """Methods of OpenTelemetry's exporter that are used here, with types."""

    def export(self, metrics_data: MetricsData) -> object: ...

    def shutdown(self) -> None: ...


@contextmanager
def sending(resource: Resource) -> Generator[None]:
    """Send all metrics every OTEL_METRIC_EXPORT_INTERVAL milliseconds, and once more when the block ends."""
    exporter, stop, start = cast("_Exporter", OTLPMetricExporter()), Event(), time.time_ns()
    seconds = int(environ.get("OTEL_METRIC_EXPORT_INTERVAL", _INTERVAL)) / 1000

    def send() -> None:
        while not stop.wait(seconds):
            exporter.export(collected(resource, start))

    thread = Thread(target=send, name="metrics", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
        exporter.export(collected(resource, start))
        exporter.shutdown()


def collected(resource: Resource, start: int) -> MetricsData:
    """Return all metrics of this process as they are now, counted since `start` in nanoseconds."""
    times = start, time.time_ns()
    families = [_metric(family, times) for family in REGISTRY.collect()]
    scope = ScopeMetrics(InstrumentationScope("arena"), families, "")
    return MetricsData([ResourceMetrics(resource, [scope], "")])


def _metric(family: Family, times: tuple[int, int]) -> Metric:
    """Convert a family; a counter keeps the name that alerts ask for, with `_total`."""
    cumulative = AggregationTemporality.CUMULATIVE
    if family.type == "histogram":
        return Metric(family.name, family.documentation, "s", Histogram(_histograms(family.samples, times), cumulative))
    counter = family.type == "counter"
    name = f"{family.name}_total" if counter else family.name
    samples = [sample for sample in family.samples if sample.name == name]
    points = [NumberDataPoint(sample.labels, *times, sample.value) for sample in samples]
    data = Sum(points, cumulative, is_monotonic=True) if counter else Gauge(points)
    return Metric(name, family.documentation, "", data)


def _histograms(samples: Iterable[Sample], times: tuple[int, int]) -> list[HistogramDataPoint]:
    """Return one point for each set of labels, whose samples follow each other."""
    groups = groupby(samples, key=lambda sample: {name: value for name, value in sample.labels.items() if name != "le"})
    return [_histogram(labels, list(members), times) for labels, members in groups]


def _histogram(labels: dict[str, str], samples: list[Sample], times: tuple[int, int]) -> HistogramDataPoint:
    """Return a point; the buckets of Prometheus are cumulative, those of OpenTelemetry are not."""
    buckets = [sample for sample in samples if sample.name.endswith("_bucket")]
    bounds = [float(sample.labels["le"]) for sample in buckets[:-1]]
    counts = [int(after - before) for before, after in pairwise([0.0, *(sample.value for sample in buckets)])]
    (total,) = (sample.value for sample in samples if sample.name.endswith("_sum"))
    return HistogramDataPoint(labels, *times, sum(counts), total, counts, bounds, 0.0, 0.0)
