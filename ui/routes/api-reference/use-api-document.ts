import { useCallback, useEffect, useState } from 'react';
import { serverConfig } from '#ui/lib/server-config.ts';
import { fetchInSession } from '#ui/lib/session.ts';
import type { ApiDocument } from './api-document.ts';

/** The address of the server's OpenAPI document. */
export const DOCUMENT_URL = `${serverConfig.rootPath}/openapi.json`;

/** What is known of the document. */
interface Reading {
  readonly document?: ApiDocument;
  readonly error?: unknown;
}

/** The server's OpenAPI document, and what reads it again after a failure. */
export function useApiDocument(): Reading & { readonly retry: () => void } {
  const [attempt, setAttempt] = useState(0);
  const [reading, setReading] = useState<Reading>({});
  useEffect(() => {
    const leaving = new AbortController();
    readDocument(leaving.signal).then(
      (document) => setReading({ document }),
      (error: unknown) => {
        if (!leaving.signal.aborted) setReading({ error });
      },
    );
    return () => leaving.abort();
  }, [attempt]);
  const retry = useCallback(() => {
    setReading({});
    setAttempt((before) => before + 1);
  }, []);
  return { ...reading, retry };
}

async function readDocument(signal: AbortSignal): Promise<ApiDocument> {
  const response = await fetchInSession(DOCUMENT_URL, { signal });
  if (!response.ok) throw new Error((await response.text()) || `The server responded with status ${response.status}.`);
  return (await response.json()) as ApiDocument;
}
