import { useCallback, useEffect, useState } from 'react';
import { serverConfig } from '#ui/lib/server-config.ts';
import { fetchInSession } from '#ui/lib/session.ts';

/** How far reading stored spans again has come, as the server answers it. */
export interface ReindexStatus {
  readonly is_stale: boolean;
  readonly is_running: boolean;
  readonly progress: number | null;
  readonly read_count: number;
  readonly changed_count: number;
  readonly finished_at: string | null;
}

/** Asked again so often while it works. */
const POLL_MS = 2000;

/** The state of reading again, followed while it works; and what begins it, which rejects with the server's words. */
export function useReindex(): readonly [status: ReindexStatus | undefined, start: () => Promise<void>] {
  const [status, setStatus] = useState<ReindexStatus>();
  const isRunning = status?.is_running === true;
  useEffect(() => {
    const leaving = new AbortController();
    // What cannot be read now is not shown; the policies above say that the server does not answer.
    const read = () => void ask({ signal: leaving.signal }).then(setStatus, () => undefined);
    read();
    const timer = isRunning ? setInterval(() => document.hidden || read(), POLL_MS) : undefined;
    return () => {
      leaving.abort();
      clearInterval(timer);
    };
  }, [isRunning]);
  const start = useCallback(async () => {
    setStatus(
      await ask({
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ normalise: true }),
      }),
    );
  }, []);
  return [status, start];
}

async function ask(init: RequestInit): Promise<ReindexStatus> {
  const response = await fetchInSession(`${serverConfig.rootPath}/v1/reindex`, init);
  if (!response.ok) throw new Error(await response.text());
  return ((await response.json()) as { readonly data: ReindexStatus }).data;
}
