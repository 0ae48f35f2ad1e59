/** The tables of annotations and of what they may say, as Kysely sees them. */
import type { Generated } from 'kysely';

/** What an annotation is about; a document is one of those that a span retrieved. */
export type StoredTarget = 'span' | 'trace' | 'session' | 'document';

/** Who or what judged. */
export type StoredAnnotatorKind = 'HUMAN' | 'LLM' | 'CODE';

/** What annotations of a name may say. */
export interface AnnotationConfigsTable {
  id: Generated<number>;
  name: string;
  kind: 'CATEGORICAL' | 'CONTINUOUS' | 'FREEFORM';
  description: string | null;
  optimization_direction: 'MINIMIZE' | 'MAXIMIZE' | 'NONE' | null;
  /** JSON of what the kind has beside these: values, bounds, thresholds. */
  content: string;
  /** 1 where annotations of the name that say something else are refused. */
  is_strict: Generated<number>;
}

/** The configs that a project offers. */
export interface ProjectAnnotationConfigsTable {
  project_id: number;
  config_id: number;
}

/** Judgements of spans, traces, sessions and documents of spans; notes are those of the name `note`. */
export interface AnnotationsTable {
  id: Generated<number>;
  target: StoredTarget;
  /** The row of the span, also of a document, of the trace, or of the session. */
  target_row_id: number;
  /** Zero-based; -1 unless `target` is a document. */
  document_position: Generated<number>;
  /** The project of the target, which hooks keep true. */
  project_id: number;
  name: string;
  /** Tells annotations of one name and target apart. */
  identifier: Generated<string>;
  annotator_kind: StoredAnnotatorKind;
  label: string | null;
  score: number | null;
  explanation: string | null;
  /** JSON of an object, as it was sent. */
  metadata: string;
  source: 'API' | 'APP';
  /** Null for callers without an account, and after the account is deleted. */
  user_id: number | null;
  created_at_us: number;
  updated_at_us: number;
  /** 1 where a span carried it, and nobody has said so since. */
  is_carried: Generated<number>;
}

/** Annotations whose target has not arrived yet. */
export interface WaitingAnnotationsTable {
  id: Generated<number>;
  target: StoredTarget;
  /** What senders call the target: the id of a span or a trace, or the text of a session. */
  target_key: string;
  document_position: Generated<number>;
  name: string;
  identifier: Generated<string>;
  /** JSON of what the annotation says. */
  content: string;
  user_id: number | null;
  /** 1 where a span carried it. */
  is_carried: number;
  /** When it was said. */
  at_us: number;
  received_at_us: number;
  /** Of what tells annotations apart, which together may be longer than an entry of an index. */
  digest: string;
}

/** What stored spans carry, so that it is not stored again with them. */
export interface CarriedAnnotationsTable {
  span_row_id: number;
  /** JSON list of a digest for each annotation. */
  digests: string;
}

/** Targets that have arrived while more annotations waited for them than one commit stores. */
export interface ArrivedTargetsTable {
  target: StoredTarget;
  target_key: string;
}
