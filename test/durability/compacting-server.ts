/** A server that compacts traces as soon as they are there, for tests that kill it at that. */
import type { Logger } from '#base/log';
import { deriveConfig } from '#config/load';
import { startServer } from '#server/start';

const complain: Logger['error'] = (message, fields) => console.error(message, fields);
const log: Logger = { debug: () => undefined, info: () => undefined, warn: complain, error: complain };
const { config, problems } = deriveConfig(process.env);
if (config === null) throw new Error(JSON.stringify(problems));
const server = await startServer(config, log, { quietMs: 20, everyMs: 10 });
process.once('SIGTERM', () => void server.close());
console.log(JSON.stringify({ message: 'Ready.', httpUrl: server.httpUrl, grpcAddress: server.grpcAddress }));
