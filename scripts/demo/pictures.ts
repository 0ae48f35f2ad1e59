import { crc32, deflateSync } from 'node:zlib';

/** Small drawings that stand for the photos and scans that people attach. */
export type PictureName = 'torn-seam' | 'zip' | 'scan' | 'boarding-pass' | 'viewpoint';

type Color = readonly [red: number, green: number, blue: number];
interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly color: Color;
}

const WIDTH = 160;
const HEIGHT = 120;
const INK: Color = [52, 56, 64];
const GREY: Color = [168, 174, 184];

/** The picture as a PNG data URL. */
export function pictureUrl(name: PictureName): string {
  const [background, shapes] = draw(name);
  return `data:image/png;base64,${Buffer.from(encodePng(background, shapes)).toString('base64')}`;
}

function draw(name: PictureName): readonly [Color, readonly Rectangle[]] {
  switch (name) {
    case 'torn-seam':
      return [
        [96, 124, 84],
        [
          { left: 0, top: 56, width: 160, height: 3, color: [70, 92, 60] },
          ...range(9).map((step) => ({
            left: 40 + step * 9,
            top: 50 + ((step * 7) % 11),
            width: 8,
            height: 9 + ((step * 5) % 8),
            color: [24, 30, 22] as const,
          })),
        ],
      ];
    case 'zip':
      return [
        [176, 72, 48],
        [
          ...range(20).map((step) => ({
            left: step < 11 ? 76 : 70 - (step - 11),
            top: step * 6,
            width: step < 11 ? 8 : 20 + (step - 11) * 2,
            height: 3,
            color: GREY,
          })),
          { left: 70, top: 58, width: 20, height: 16, color: INK },
        ],
      ];
    case 'scan':
      return [
        [248, 246, 240],
        [
          { left: 12, top: 8, width: 60, height: 8, color: INK },
          ...range(11).map((step) => ({
            left: 12,
            top: 26 + step * 8,
            width: 136 - ((step * 37) % 60),
            height: 3,
            color: GREY,
          })),
          { left: 108, top: 104, width: 40, height: 6, color: INK },
        ],
      ];
    case 'boarding-pass':
      return [
        [236, 240, 246],
        [
          { left: 0, top: 0, width: 160, height: 26, color: [28, 74, 140] },
          ...range(24).map((step) => ({
            left: 10 + step * 6,
            top: 84,
            width: 1 + ((step * 5) % 4),
            height: 26,
            color: INK,
          })),
          { left: 10, top: 40, width: 50, height: 12, color: INK },
          { left: 96, top: 40, width: 50, height: 12, color: INK },
        ],
      ];
    case 'viewpoint':
      return [
        [150, 190, 226],
        [
          ...range(16).map((step) => ({
            left: step * 10,
            top: 62 - Math.round(24 * Math.sin((step / 15) * Math.PI)),
            width: 10,
            height: 60,
            color: [94, 112, 104] as const,
          })),
          { left: 0, top: 92, width: 160, height: 28, color: [44, 98, 128] },
          { left: 120, top: 14, width: 18, height: 18, color: [250, 214, 110] },
        ],
      ];
    default:
      return name satisfies never;
  }
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, position) => position);
}

function encodePng(background: Color, shapes: readonly Rectangle[]): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([8, 2, 0, 0, 0], 8);
  // Each row starts with a filter byte of 0.
  const rows = Buffer.alloc(HEIGHT * (1 + WIDTH * 3));
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) rows.set(colorAt(x, y, background, shapes), y * (1 + WIDTH * 3) + 1 + x * 3);
  }
  const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
  return Buffer.concat([
    signature,
    encodeChunk('IHDR', header),
    encodeChunk('IDAT', deflateSync(rows)),
    encodeChunk('IEND', Buffer.alloc(0)),
  ]);
}

function colorAt(x: number, y: number, background: Color, shapes: readonly Rectangle[]): Color {
  const top = shapes.findLast(
    (shape) => x >= shape.left && x < shape.left + shape.width && y >= shape.top && y < shape.top + shape.height,
  );
  return top?.color ?? background;
}

function encodeChunk(type: string, data: Uint8Array): Uint8Array {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, 'latin1');
  chunk.set(data, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
  return chunk;
}
