/** Where OTLP over gRPC is usually taken, and where clients that are told no port send it. */
const USUAL_GRPC_PORT = '4317';

/** The port of `host:port` that clients must be told; undefined where it is the usual one. */
export function unusualGrpcPort(address: string): string | undefined {
  const port = address.slice(address.lastIndexOf(':') + 1);
  return port === USUAL_GRPC_PORT ? undefined : port;
}
