/** One server-sent event. */
export interface StreamedEvent {
  readonly event: string;
  readonly data: string;
}

/** The events of a response, as they come. @see https://html.spec.whatwg.org/multipage/server-sent-events.html */
export async function* readEvents(response: Response): AsyncGenerator<StreamedEvent> {
  if (response.body === null) return;
  let event = '';
  let data: string[] = [];
  for await (const line of readLines(response.body)) {
    if (line === '') {
      if (event !== '' || data.length > 0) yield { event: event === '' ? 'message' : event, data: data.join('\n') };
      event = '';
      data = [];
      continue;
    }
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'event') event = value;
    if (field === 'data') data.push(value);
  }
}

async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  try {
    let rest = '';
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      const lines = (rest + chunk.value).split(/\r\n|\n|\r/);
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } finally {
    await reader.cancel();
  }
}
