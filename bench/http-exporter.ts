/** OTLP over HTTP on one socket that stays open, with as little client around it as will do. */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Exporter } from './grpc-exporter.ts';

/** Opens a connection to `POST /v1/traces`. @param headers beside those that every export has */
export async function openHttpExporter(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Exporter> {
  const { hostname, port, host } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  let answer = '';
  let waiting: PromiseWithResolvers<void> | undefined;
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    answer += chunk;
    const bodyAt = answer.indexOf('\r\n\r\n') + 4;
    if (bodyAt < 4) return;
    const length = Number(/content-length: (\d+)/i.exec(answer)?.[1]);
    if (answer.length < bodyAt + length) return;
    // A request whose spans are all stored is answered with an empty message.
    if (answer.startsWith('HTTP/1.1 200') && length === 0) waiting?.resolve();
    else waiting?.reject(new Error(`not acknowledged: ${answer}`));
    answer = '';
  });
  socket.on('error', (error) => waiting?.reject(error));
  socket.on('close', () => waiting?.reject(new Error('the server closed the connection')));
  return {
    send(body) {
      waiting = Promise.withResolvers();
      socket.write(
        `POST /v1/traces HTTP/1.1\r\nhost: ${host}\r\n${more.join('')}content-type: application/x-protobuf\r\ncontent-length: ${body.length}\r\n\r\n`,
      );
      socket.write(body);
      return waiting.promise;
    },
    close: () => socket.destroy(),
  };
}
