/** A program that exports one span by an unmodified exporter, which its environment configures; prints `taken` or why it was not. */
import { OTLPTraceExporter as GrpcExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import { OTLPTraceExporter as HttpExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';

const [protocol, name = ''] = process.argv.slice(2);

const memory = new InMemorySpanExporter();
const tracer = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(memory)] }).getTracer('once');
tracer.startSpan(name).end();

const exporter = protocol === 'grpc' ? new GrpcExporter() : new HttpExporter();
exporter.export(memory.getFinishedSpans(), ({ error }) => {
  console.log(error === undefined ? 'taken' : `${'code' in error ? String(error.code) : ''} ${error.message}`);
  void exporter.shutdown();
});
