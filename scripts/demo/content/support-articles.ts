/** The help centre of Harrow & Pine, an invented shop for outdoor gear. */

export interface Article {
  readonly id: string;
  readonly title: string;
  readonly section: string;
  readonly updated: string;
  readonly text: string;
}

const SUPPORT_ARTICLES: readonly Article[] = [
  {
    id: 'hc-101',
    title: 'Return an item within 60 days',
    section: 'Returns',
    updated: '2026-04-02',
    text: 'You may send back anything you have not used outdoors within 60 days of delivery. Start the return in your account or ask us for a label. Labels are free inside the EU, the UK and the United States; from other countries we refund up to 15 EUR of postage. Keep the tags on: a jacket worn to the shops is fine, a jacket worn up a mountain is not.',
  },
  {
    id: 'hc-102',
    title: 'When will I get my refund?',
    section: 'Returns',
    updated: '2026-05-19',
    text: 'We refund to the original payment method within three working days of the parcel reaching our warehouse in Tilburg. Your bank then needs up to five working days for cards and up to ten for PayPal Pay Later. Gift-card purchases are refunded as store credit.',
  },
  {
    id: 'hc-103',
    title: 'Exchange for another size or colour',
    section: 'Returns',
    updated: '2026-03-11',
    text: 'An exchange reserves the new size as soon as you ask for it and ships when the carrier scans your parcel. If the new size costs less we refund the difference; if it costs more we charge it at the price of the original order date. Boots can be exchanged twice.',
  },
  {
    id: 'hc-110',
    title: 'Delivery times and carriers',
    section: 'Delivery',
    updated: '2026-08-27',
    text: 'Orders placed before 14:00 CET leave the same working day. Benelux and Germany: 1–2 days with PostNL or DHL. Rest of the EU: 2–5 days. UK: 3–6 days with Royal Mail. United States and Canada: 5–9 days with UPS. Stoves and fuel cannot fly and add two days within the EU.',
  },
  {
    id: 'hc-111',
    title: 'My parcel says delivered but it is not here',
    section: 'Delivery',
    updated: '2026-02-14',
    text: 'Look for a card, ask neighbours, and check the photo in the tracking page. Carriers sometimes scan up to 24 hours early. If nothing turned up a day later, tell us: we open an investigation, which takes at most five working days, and send a replacement at once for orders below 250 EUR.',
  },
  {
    id: 'hc-112',
    title: 'Customs, VAT and import fees',
    section: 'Delivery',
    updated: '2026-07-01',
    text: 'Prices for the UK, Norway, Switzerland and the United States already include duties and taxes. If a courier asks you for money, do not pay; send us the notice and we settle it with them, usually within two working days.',
  },
  {
    id: 'hc-113',
    title: 'Change or cancel an order',
    section: 'Orders',
    updated: '2026-06-06',
    text: 'While the status is "received" you can change the address, the size or cancel in full. From "packing" on, only the carrier can redirect the parcel. A cancelled order is refunded the same day.',
  },
  {
    id: 'hc-120',
    title: 'Lifetime repair and the three-year warranty',
    section: 'Warranty',
    updated: '2026-01-20',
    text: 'Faults in material and workmanship are covered for three years: we repair, replace or refund, in this order. Wear, burns and animals are not covered, but our workshop in Ghent repairs them at cost price for as long as the item lives. Send a photo first; most zip sliders we post to you for free.',
  },
  {
    id: 'hc-121',
    title: 'Repair a seam or a tear on the trail',
    section: 'Care',
    updated: '2025-11-30',
    text: 'Clean and dry the fabric. On silnylon use silicone seam sealer, on polyester with PU coating use urethane sealer: neither sticks to the other. Cover tears up to 5 cm with a rounded patch on both sides and let it cure for twelve hours before loading the seam.',
  },
  {
    id: 'hc-122',
    title: 'Wash and re-proof a shell jacket',
    section: 'Care',
    updated: '2026-02-03',
    text: 'Close all zips, wash at 30 °C with a soap-free cleaner, rinse twice. Tumble dry at low heat for 20 minutes: heat wakes the water repellency up. When drops no longer bead, apply a fluorine-free wash-in treatment and dry warm again. Never use fabric softener.',
  },
  {
    id: 'hc-123',
    title: 'Are your waterproof fabrics free of PFAS?',
    section: 'Materials',
    updated: '2026-09-15',
    text: 'All jackets, gloves and tents made since spring 2025 are free of intentionally added PFAS, membrane and finish alike. Items from earlier seasons carry the code "C6" on the inner label. Two climbing ropes still use a C6 dry treatment; their product pages say so.',
  },
  {
    id: 'hc-130',
    title: 'Light the Cinder stove',
    section: 'Product guides',
    updated: '2026-03-28',
    text: 'Screw the cartridge on upright, open the valve a quarter turn, hold the igniter at the burner edge. If it clicks without flame: dry the electrode, check that the gap is 4 mm, and warm the cartridge in your jacket below 0 °C. A yellow flame means a dirty jet; clear it with the supplied needle, never with wire.',
  },
  {
    id: 'hc-131',
    title: 'Which sleeping bag for which night',
    section: 'Product guides',
    updated: '2026-08-08',
    text: 'Choose by the comfort temperature, not by the limit. Cold sleepers add 5 °C. Down packs smaller and lasts longer; synthetic fill still insulates when damp and dries overnight. The mat matters as much as the bag: below freezing use an R-value of 4 or more.',
  },
  {
    id: 'hc-132',
    title: 'Boot sizes: find your fit',
    section: 'Product guides',
    updated: '2026-05-05',
    text: 'Measure both feet in the evening with the socks you will wear. Add 10 mm for boots that go downhill. Our Larch last is wide in front, the Rowan last narrow at the heel. Between two sizes take the larger and lace the heel lock; a half size is 4 mm.',
  },
  {
    id: 'hc-133',
    title: 'Pitch the Skerry tent in wind',
    section: 'Product guides',
    updated: '2026-04-17',
    text: 'Peg the windward corners first, with the poles still in their sleeves, then raise the tent from the lee side. The Skerry 2 stands up to 65 km/h with all eight guy lines and about 45 km/h with the four corner pegs. Leave a fist of slack in the storm lines overnight: silnylon grows when wet.',
  },
  {
    id: 'hc-134',
    title: 'Headlamp battery and lock mode',
    section: 'Product guides',
    updated: '2026-06-22',
    text: 'Hold both buttons for three seconds to lock the Ember headlamp; it blinks red twice. A full charge takes 2 h 40 min over USB-C. Below −10 °C expect half the run time. A battery that has been flat for months may need ten minutes on the charger before the light shows.',
  },
  {
    id: 'hc-140',
    title: 'Gift cards and discount codes',
    section: 'Payment',
    updated: '2026-10-01',
    text: 'One code per order. Codes do not work on repairs, gift cards or items already reduced by more than 30 %. A gift card can be combined with any code. Codes are case-sensitive and end at midnight CET on the day named in the mail.',
  },
  {
    id: 'hc-141',
    title: 'Invoices and company purchases',
    section: 'Payment',
    updated: '2026-03-03',
    text: 'The invoice is in your account as PDF from the day of dispatch. With a valid EU VAT number we reverse the charge; send the number before the parcel leaves, because an invoice cannot be changed afterwards without a credit note.',
  },
  {
    id: 'hc-142',
    title: 'Payment was declined or charged twice',
    section: 'Payment',
    updated: '2026-09-09',
    text: 'A declined attempt can appear as a reservation that your bank releases within seven days. We capture money only once, on dispatch. If two captures stand on your statement, send us the last four digits and both amounts.',
  },
  {
    id: 'hc-150',
    title: 'Delete your account and your data',
    section: 'Privacy',
    updated: '2026-05-25',
    text: 'We delete an account within 30 days of your request and confirm it by mail. Invoices stay for the seven years that tax law asks for, blocked for every other use. Reviews are kept without your name unless you ask otherwise.',
  },
  {
    id: 'hc-160',
    title: 'Shops and opening hours',
    section: 'Shops',
    updated: '2026-10-20',
    text: 'Amsterdam, Haarlemmerdijk 41; Ghent, Sint-Pietersnieuwstraat 8; Hamburg, Schulterblatt 62; Edinburgh, Cockburn Street 27; Lyon, rue de Brest 19. Tuesday to Saturday 10:00–18:30, the workshop in Ghent also on Mondays. Online orders reach a shop in two working days without a fee.',
  },
  {
    id: 'hc-170',
    title: 'Rent before you buy',
    section: 'Services',
    updated: '2026-07-19',
    text: 'Tents, expedition bags and child carriers can be rented for 3 to 30 days. Half of the fee counts towards a purchase within 60 days. A deposit of 20 % is reserved on the card and released when the workshop has checked the item.',
  },
];

/** What the search finds by accident: shown with low scores beside the right article. */
export function listOtherArticles(wanted: readonly string[]): readonly Article[] {
  return SUPPORT_ARTICLES.filter((article) => !wanted.includes(article.id));
}

/** @throws when a script names an article that does not exist. */
export function getArticle(id: string): Article {
  const article = SUPPORT_ARTICLES.find((candidate) => candidate.id === id);
  if (article === undefined) throw new Error(`There is no help-centre article ${id}.`);
  return article;
}
