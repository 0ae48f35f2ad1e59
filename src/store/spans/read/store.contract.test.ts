import { normalizeRequest } from '#normalize/normalize-request';
import { transcodeJsonRequest } from '#otlp/json/transcode';
import { decodeExportTraceRequest } from '#otlp/protobuf/request';
import { traceBody } from '../../../../test/harness/otlp-json.ts';
import { TEST_ENGINE } from '../../../../test/harness/test-engine.ts';
import { openTestEngines } from '../../engine/open-test-engine.fixture.ts';
import type { WriteOutcome } from '../../writer/port.ts';
import { describeSpanBrowser } from '../browse-contract.ts';
import { describeTraceBrowser } from '../browse-traces-contract.ts';
import { describeSpanStore } from '../contract.ts';
import type { StoreUnderTest } from '../contract-store.fixture.ts';
import { toIncoming } from '../../incoming/request.ts';
import { NO_FRAMES } from '../no-frames.fixture.ts';
import { relationalSpanStore } from './store.ts';
import { RelationalSpanWriter } from '../../writer/writer.ts';

describeSpanStore(TEST_ENGINE, openStore);
describeSpanBrowser(TEST_ENGINE, openStore);
describeTraceBrowser(TEST_ENGINE, openStore);

async function openStore(): Promise<StoreUnderTest> {
  const { write, read, close } = await openTestEngines();
  const onError = (message: string, cause: unknown) => {
    throw new Error(message, { cause });
  };
  const writer = new RelationalSpanWriter({ ...write, onError });
  const present = ({ span }: { span: { name: string } }) => JSON.stringify({ name: span.name });
  return {
    store: acrossThreads(relationalSpanStore(read.db, read.dialect, { span: present, otlp: present }, NO_FRAMES)),
    async send(spans, project = 'default') {
      const request = decodeExportTraceRequest(transcodeJsonRequest(traceBody(spans)));
      const context = { receivedUnixNano: 1n, projectOverride: project, defaultProject: 'default' };
      const [outcome] = await writer.write([toIncoming(normalizeRequest(request, context))]);
      return outcome as WriteOutcome;
    },
    projectRowId: async (name) =>
      (await read.db.selectFrom('projects').select('id').where('name', '=', name).executeTakeFirst())?.id,
    close,
  };
}

/** The store as callers have it: arguments and results are cloned on their way between threads. */
function acrossThreads<Store extends object>(store: Store): Store {
  return new Proxy(store, {
    get:
      (target, method) =>
      async (...parameters: never[]) => {
        const call = Reflect.get(target, method) as (...given: never[]) => Promise<unknown>;
        return structuredClone(await call(...structuredClone(parameters)));
      },
  });
}
