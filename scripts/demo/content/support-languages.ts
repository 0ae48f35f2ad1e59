import type { SupportScript } from './support-script.ts';

/** Conversations in other languages than English. */
export const LANGUAGE_SCRIPTS: readonly SupportScript[] = [
  {
    topic: 'return-wrong-size',
    language: 'de',
    weight: 3,
    turns: (f) => [
      {
        user: `Guten Tag, die Jacke aus Bestellung ${f.orderId} ist mir an den Schultern zu eng. Wie bekomme ich sie in L statt M?`,
        articles: ['hc-103'],
        calls: [
          {
            tool: 'lookup_order',
            arguments: { order_id: f.orderId },
            result: {
              order_id: f.orderId,
              status: 'delivered',
              items: [{ sku: 'GAL-M-INK', name: 'Gale shell jacket', quantity: 1 }],
            },
          },
          {
            tool: 'create_return',
            arguments: { order_id: f.orderId, sku: 'GAL-M-INK', reason: 'size', exchange_for_sku: 'GAL-L-INK' },
            result: { return_id: `R-${f.random.digits(6)}`, reserved_until: f.day(14) },
          },
        ],
        assistant: `Guten Tag ${f.name}, das ist schnell erledigt: Größe L ist für Sie reserviert, und das kostenlose Rücksendeetikett liegt in Ihrem Postfach. Sobald der Paketdienst die Rücksendung scannt, geht die neue Jacke auf den Weg. Bitte lassen Sie das Etikett am Reißverschluss.`,
      },
      {
        user: 'Super, danke! Und wie wasche ich sie später richtig?',
        articles: ['hc-122'],
        assistant:
          'Alle Reißverschlüsse schließen, bei 30 °C mit seifenfreiem Mittel waschen, zweimal spülen und 20 Minuten warm trocknen. Weichspüler bitte nie: er verklebt die Membran.',
      },
    ],
  },
  {
    topic: 'where-is-my-order',
    language: 'es',
    weight: 3,
    turns: (f) => [
      {
        user: `Hola, ¿dónde está mi pedido ${f.orderId}? Tenía que llegar el martes y salgo de viaje el jueves.`,
        articles: ['hc-110'],
        calls: [
          {
            tool: 'track_parcel',
            arguments: { carrier: 'DHL', tracking_code: f.trackingCode },
            result: {
              tracking_code: f.trackingCode,
              scans: [{ at: f.day(-1), place: 'Zaragoza', event: 'In transit' }],
            },
          },
        ],
        assistant: `Hola, ${f.firstName}: tu paquete pasó ayer por Zaragoza y debería llegar mañana antes de las 14:00. Si el miércoles por la noche aún no lo tienes, escríbeme y lo desviamos a un punto de recogida cerca del aeropuerto.`,
      },
    ],
  },
  {
    topic: 'boot-sizing',
    language: 'ja',
    weight: 2,
    turns: (f) => [
      {
        user: 'トレッキングブーツ「Larch」のサイズで迷っています。足長は25.5cm、幅広です。普段は26cmの靴を履いています。',
        articles: ['hc-132'],
        assistant:
          'お問い合わせありがとうございます。下り坂では足が前に動くため、足長に約1cm加えた26.5cm(EU 42)をおすすめします。Larchは前足部がゆったりした木型ですので、幅広の足に合います。夕方に、実際に使う靴下を履いてお試しください。',
      },
      {
        user: '合わなかった場合、交換できますか?日本からの送料はどうなりますか?',
        articles: ['hc-103', 'hc-101'],
        assistant: `はい、屋外で使用していなければ、到着後60日以内に2回まで交換できます。日本からの返送料は15ユーロまで当店が負担いたします。${f.firstName}様、ご不明な点があればいつでもどうぞ。`,
      },
    ],
  },
  {
    topic: 'refund-status',
    language: 'pt-BR',
    weight: 2,
    turns: (f) => [
      {
        user: `Oi! Devolvi a mochila faz dez dias e o estorno ainda não apareceu no cartão final ${f.lastFour}. Pedido ${f.orderId}.`,
        articles: ['hc-102'],
        calls: [
          {
            tool: 'lookup_order',
            arguments: { order_id: f.orderId },
            result: { order_id: f.orderId, status: 'returned', refund: { amount_eur: 165, released_on: f.day(-2) } },
          },
        ],
        assistant: `Oi, ${f.firstName}! Liberamos o estorno de 165,00 EUR no dia ${f.day(-2, 'pt-BR')}. O banco pode levar até cinco dias úteis para mostrá-lo na fatura; se não aparecer até ${f.day(4, 'pt-BR')}, eu peço o comprovante para você.`,
      },
    ],
  },
  {
    topic: 'broken-zip',
    language: 'fr',
    weight: 2,
    turns: () => [
      {
        user: "Bonjour, la fermeture éclair de ma tente ne ferme plus, voyez la photo. Est-ce que c'est sous garantie ?",
        picture: 'zip',
        articles: ['hc-120'],
        assistant:
          "Bonjour ! D'après la photo, les dents sont intactes et c'est le curseur qui est usé. Nous vous en envoyons un neuf gratuitement ; il se change en deux minutes avec une pince. S'il manque des dents, notre atelier de Gand répare la tente, sans frais pendant trois ans.",
      },
    ],
  },
  {
    topic: 'where-is-my-order',
    language: 'ar',
    weight: 1,
    turns: (f) => [
      {
        user: `مرحبا، أين طلبي رقم ${f.orderId}؟ لم يصل حتى الآن.`,
        articles: ['hc-110'],
        calls: [
          {
            tool: 'lookup_order',
            arguments: { order_id: f.orderId },
            result: {
              order_id: f.orderId,
              status: 'shipped',
              shipping: { carrier: 'UPS', tracking_code: f.trackingCode },
            },
          },
        ],
        assistant: `مرحبًا! تم شحن طلبك مع UPS، ورقم التتبع هو ${f.trackingCode}. من المتوقع أن يصل خلال يومين، وإذا تأخر أكثر من ذلك فأخبرني وسأتابع الأمر مع شركة الشحن.`,
      },
    ],
  },
  {
    topic: 'damaged-tent',
    language: 'pl',
    weight: 1,
    turns: (f) => [
      {
        user: 'Dzień dobry, szew w namiocie puścił po dwóch nocach 😞 Zdjęcie w załączniku.',
        picture: 'torn-seam',
        articles: ['hc-120'],
        calls: [
          {
            tool: 'open_ticket',
            arguments: {
              queue: 'warranty',
              priority: 'normal',
              summary: 'Skerry 2: szew grzbietowy puszczony, klient z Polski.',
            },
            result: { ticket: `T-${f.random.digits(5)}`, queue: 'warranty', first_reply_within: '1 working day' },
          },
        ],
        assistant:
          'Dzień dobry! Bardzo przepraszam. To wada szycia, objęta trzyletnią gwarancją: jutro otrzyma Pan/Pani bezpłatną etykietę, a warsztat w Gandawie naprawi namiot w około dziewięć dni.',
      },
    ],
  },
];
