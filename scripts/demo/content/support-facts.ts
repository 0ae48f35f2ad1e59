import type { Random } from '../random.ts';

export interface Product {
  readonly name: string;
  readonly sku: string;
  readonly price: number;
  readonly size: string;
  readonly otherSize: string;
}

const PRODUCTS: readonly Product[] = [
  { name: 'Skerry 2 tent', sku: 'SKR2-MOSS', price: 429, size: 'moss', otherSize: 'ochre' },
  { name: 'Larch hiking boots', sku: 'LRC-42', price: 189, size: '42', otherSize: '43' },
  { name: 'Rowan trail shoes', sku: 'ROW-39', price: 139, size: '39', otherSize: '39½' },
  { name: 'Gale shell jacket', sku: 'GAL-M-INK', price: 279, size: 'M', otherSize: 'L' },
  { name: 'Bracken fleece', sku: 'BRK-S-RUST', price: 95, size: 'S', otherSize: 'M' },
  { name: 'Fjell 40 backpack', sku: 'FJL40-SLATE', price: 165, size: 'slate', otherSize: 'black' },
  { name: 'Cinder stove', sku: 'CND-1', price: 79, size: 'standard', otherSize: 'kit' },
  { name: 'Ember headlamp', sku: 'EMB-450', price: 64, size: '450 lm', otherSize: '800 lm' },
  { name: 'Tarn −5 sleeping bag', sku: 'TRN5-REG', price: 315, size: 'regular', otherSize: 'long' },
  { name: 'Heath merino base layer', sku: 'HTH-L', price: 72, size: 'L', otherSize: 'M' },
];

// biome-ignore format: one name after another reads better
const NAMES = [
  'Maya Lindqvist', 'Tom Okafor', 'Priya Raman', 'Jonas Weber', 'Aoife Brennan', 'Luca Moretti', 'Hannah Fischer',
  'Diego Fuentes', 'Sofie De Smet', 'Yuki Tanaka', 'Marta Kowalska', 'Omar Haddad', 'Chloé Laurent', 'Ben Carter',
  'Ingrid Solberg', 'Rafael Nunes', 'Grace Adeyemi', 'Tomáš Novák', 'Elif Yıldız', 'Noor van Dijk', 'Sam Whitaker',
];

const NAMES_BY_LANGUAGE: Readonly<Record<string, readonly string[]>> = {
  de: ['Jonas Weber', 'Hannah Fischer', 'Katrin Böhm', 'Jürgen Groß'],
  es: ['Diego Fuentes', 'Lucía Núñez', 'Iñaki Etxeberria'],
  ja: ['田中 優希', '佐藤 健', '鈴木 美咲'],
  'pt-BR': ['Rafael Nunes', 'Conceição Araújo', 'João Pedro Lima'],
  fr: ['Chloé Laurent', 'Étienne Morel'],
  ar: ['عمر حداد', 'ليلى منصور'],
  pl: ['Marta Kowalska', 'Wojciech Żak'],
};

const CITIES = ['Utrecht', 'Hamburg', 'Ghent', 'Edinburgh', 'Lyon', 'Kraków', 'Porto', 'Oslo', 'Leeds', 'Zürich'];

/** What is particular about one customer and order; scripts put it into their sentences. */
export interface SupportFacts {
  readonly random: Random;
  readonly name: string;
  readonly firstName: string;
  readonly memberSince: string;
  readonly orderId: string;
  readonly product: Product;
  readonly city: string;
  readonly carrier: 'DHL' | 'PostNL' | 'Royal Mail' | 'UPS';
  readonly trackingCode: string;
  readonly lastFour: string;
  /** Days before or after the conversation, written as "12 November" or as another locale writes it. */
  day(offset: number, locale?: string): string;
}

export function drawSupportFacts(random: Random, nowMs: number, language = 'en'): SupportFacts {
  const name = random.pick(NAMES_BY_LANGUAGE[language] ?? NAMES);
  const product = random.pick(PRODUCTS);
  const carrier = random.pick(['DHL', 'PostNL', 'Royal Mail', 'UPS'] as const);
  return {
    random,
    name,
    firstName: name.split(' ')[0] ?? name,
    memberSince: String(random.int(2016, 2026)),
    orderId: `HP-${random.digits(6)}`,
    product,
    city: random.pick(CITIES),
    carrier,
    trackingCode: carrier === 'UPS' ? `1Z${random.token(16).toUpperCase()}` : `${random.digits(14)}`,
    lastFour: random.digits(4),
    day: (offset, locale = 'en-GB') =>
      new Date(nowMs + offset * 86_400_000).toLocaleDateString(locale, {
        day: 'numeric',
        month: 'long',
        timeZone: 'UTC',
      }),
  };
}
