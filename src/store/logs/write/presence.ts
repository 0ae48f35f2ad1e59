/** What the writer knows of stored log records without asking, so that spans of applications that send none cost nothing. */
import type { Kysely } from 'kysely';
import type { IncomingRecord } from '../../incoming/records.ts';
import type { Tables } from '../../schema/tables.ts';

/** May be too much, after a rollback or a deletion, and is never too little. */
export class RecordPresence {
  #isAny = false;
  #isAnyOfConversation = false;
  #isAnyOfRequest = false;
  /** Sources of records without a span id; `null` where there are too many to remember. */
  #sources: Set<string> | null = new Set();

  /** Whether any log record is stored. */
  get isAny(): boolean {
    return this.#isAny;
  }

  /** Whether any record without a span id names a conversation. */
  get isAnyOfConversation(): boolean {
    return this.#isAnyOfConversation;
  }

  /** Whether any record names the call that it is about. */
  get isAnyOfRequest(): boolean {
    return this.#isAnyOfRequest;
  }

  /** Whether any record without a span id may come from anywhere. */
  get isAnyUnaddressed(): boolean {
    return this.#sources === null || this.#sources.size > 0;
  }

  /** Whether any record without a span id comes from the source. */
  isAnyOfSource(source: string): boolean {
    return this.#sources === null || this.#sources.has(source);
  }

  /** Reads what is stored; also what to do after a transaction was rolled back. */
  async load(db: Kysely<Tables>): Promise<void> {
    const first = await db.selectFrom('log_records').select('id').limit(1).executeTakeFirst();
    this.#isAny = first !== undefined;
    const conversation = db.selectFrom('log_records').select('id').where('conversation_id', 'is not', null);
    this.#isAnyOfConversation = (await conversation.limit(1).executeTakeFirst()) !== undefined;
    const request = db.selectFrom('log_records').select('id').where('request_id', 'is not', null);
    this.#isAnyOfRequest = (await request.limit(1).executeTakeFirst()) !== undefined;
    this.#sources = new Set();
    const sources = db.selectFrom('log_records').select('source').distinct().where('source', 'is not', null);
    for (const { source } of await sources.limit(MAX_SOURCES + 1).execute()) this.#addSource(source);
  }

  /** Notes records that are stored. */
  add(record: Pick<IncomingRecord, 'source' | 'conversationId' | 'requestId'>): void {
    this.#isAny = true;
    this.#addSource(record.source);
    this.#isAnyOfConversation ||= record.conversationId !== null;
    this.#isAnyOfRequest ||= record.requestId !== null;
  }

  #addSource(source: string | null): void {
    if (source === null || this.#sources === null) return;
    this.#sources.add(source);
    if (this.#sources.size > MAX_SOURCES) this.#sources = null;
  }
}

/** Pairs of service and instrumentation scope; whoever has more of them pays a look-up for each span. */
const MAX_SOURCES = 1000;
