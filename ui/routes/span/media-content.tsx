import { Download, ImageIcon, FileText, Music, Video } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '#ui/components/button.tsx';
import { CopyButton } from '#ui/components/copy-button.tsx';
import { Dialog } from '#ui/components/dialog.tsx';
import { saveBytes } from '#ui/components/long-text/hidden-base64.tsx';
import { formatBytes } from '#ui/lib/format.ts';
import { dataUrlBytes, fileNameFor, type MediaSource } from './model/media.ts';
import type { MessagePart } from './model/message.ts';
import styles from './media-content.module.css';

type Media = Extract<MessagePart, { type: 'media' }>;

/** A picture, sound, film or file of a message. Only what is inside the span is shown; an address is a text. */
export function MediaContent({ media }: { readonly media: Media }) {
  const { medium, source, name, transcript } = media;
  return (
    <figure className={styles.media}>
      {source?.type === 'inline' && <Inline medium={medium} source={source} name={name} />}
      {source?.type === 'address' && <Address medium={medium} address={source.address} />}
      {source === undefined && transcript === undefined && (
        <Facts medium={medium} text={[NAMES[medium], name, 'not recorded'].filter(Boolean).join(' · ')} />
      )}
      {transcript !== undefined && <figcaption className={styles.transcript}>“{transcript}”</figcaption>}
    </figure>
  );
}

const ICONS = { image: ImageIcon, audio: Music, video: Video, file: FileText };
const NAMES = { image: 'Image', audio: 'Audio', video: 'Video', file: 'File' };

interface InlineProps {
  readonly medium: Media['medium'];
  readonly source: Extract<MediaSource, { type: 'inline' }>;
  readonly name: string | undefined;
}

function Inline({ medium, source, name }: InlineProps) {
  const { mimeType, bytes, dataUrl } = source;
  const [isLarge, setIsLarge] = useState(false);
  const [canShow, setCanShow] = useState(true);
  const title = `${NAMES[medium]}, ${formatBytes(bytes)}`;
  const isImage = mimeType.startsWith('image/') && canShow;
  return (
    <>
      {isImage && (
        <button
          type="button"
          className={styles.thumbnail}
          aria-label={`Enlarge: ${title}`}
          onClick={() => setIsLarge(true)}
        >
          <img src={dataUrl} alt={title} loading="lazy" decoding="async" onError={() => setCanShow(false)} />
        </button>
      )}
      {mimeType.startsWith('audio/') && (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- A transcript stands below where the span has one.
        <audio controls preload="metadata" src={dataUrl} aria-label={title} className={styles.player} />
      )}
      {mimeType.startsWith('video/') && (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- The span has none.
        <video controls preload="metadata" src={dataUrl} aria-label={title} className={styles.film} />
      )}
      <Facts
        medium={medium}
        text={[name ?? mimeType, formatBytes(bytes), canShow ? '' : 'cannot be shown'].filter(Boolean).join(' · ')}
      >
        <Button
          size="sm"
          variant="ghost"
          icon={Download}
          onPress={() => saveBytes(dataUrlBytes(dataUrl), mimeType, fileNameFor(mimeType))}
        >
          Download
        </Button>
      </Facts>
      <Dialog title={title} size="lg" isOpen={isLarge} onOpenChange={setIsLarge}>
        <img src={dataUrl} alt={title} className={styles.large} />
      </Dialog>
    </>
  );
}

function Address({ medium, address }: { readonly medium: Media['medium']; readonly address: string }) {
  return (
    <>
      <Facts medium={medium} text={`${NAMES[medium]} at an external address, not loaded`}>
        <CopyButton text={address} label="Copy address" />
      </Facts>
      <code className={styles.address}>{address.slice(0, MAX_ADDRESS)}</code>
    </>
  );
}

const MAX_ADDRESS = 2000;

interface FactsProps {
  readonly medium: Media['medium'];
  readonly text: string;
  readonly children?: ReactNode;
}

function Facts({ medium, text, children }: FactsProps) {
  const Icon = ICONS[medium];
  return (
    <div className={styles.facts}>
      <Icon size={14} aria-hidden />
      <span>{text}</span>
      {children}
    </div>
  );
}
